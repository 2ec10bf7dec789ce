import { regularExpression } from '../checks.ts';
import { module, setOf, text } from '../fields.ts';

const pattern = text('A regular expression.', { format: 'regex', checks: [regularExpression] });

/** Only certain user agents. */
export const userAgentFilter = module(
  'Allows or denies user agents.',
  {
    allow: setOf(pattern, 'Allowed user agents.', { widensWhen: 'changes' }),
    deny: setOf(pattern, 'Denied user agents.', { widensWhen: 'changes' }),
  },
  { filter: 'agent', path: { suffix: '/user_agent_filter', since: 'completed' } },
);
