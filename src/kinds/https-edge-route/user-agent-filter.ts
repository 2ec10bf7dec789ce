import { regularExpression } from '../checks.ts';
import { module, setOf, text } from '../fields.ts';

const pattern = text('A regular expression.', { format: 'regex', checks: [regularExpression] });

/** Only certain user agents. */
export const userAgentFilter = module(
  'Lets user agents through, or not.',
  {
    allow: setOf(pattern, 'User agents let through.', { opens: 'changes' }),
    deny: setOf(pattern, 'User agents turned away.', { opens: 'changes' }),
  },
  { filter: 'agent', path: { suffix: '/user_agent_filter', since: 'completed' } },
);
