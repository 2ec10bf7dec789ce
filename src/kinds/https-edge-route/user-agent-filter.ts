import { regularExpression } from '../checks.ts';
import { module, setOf, text } from '../fields.ts';

const pattern = text('Regular expression for user agents.', { format: 'regex', checks: [regularExpression] });

/** Only certain user agents. */
export const userAgentFilter = module(
  'Allows or denies requests by their user agent.',
  {
    allow: setOf(pattern, 'Regular expressions of the allowed user agents.', { widensWhen: 'changes' }),
    deny: setOf(pattern, 'Regular expressions of the denied user agents.', { widensWhen: 'changes' }),
  },
  { filter: 'agent', path: { suffix: '/user_agent_filter', since: 'completed' } },
);
