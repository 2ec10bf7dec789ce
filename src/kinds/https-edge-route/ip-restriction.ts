import { entriesInWords } from '../admitted.ts';
import { module, refs, required } from '../fields.ts';

/** Only certain source addresses. */
export const ipRestriction = module(
  'Allows only requests from IP addresses that the IP policies permit.',
  {
    ip_policy_ids: required(
      refs('ip_policy', 'Ids of the IP policies that permit or deny an IP address.', 'ip_policies', {
        atLeast: { count: 1, since: 'completed' },
        widensWhen: 'changes',
      }),
    ),
  },
  {
    accessControl: 'network',
    admitted: (module) => entriesInWords(module, ['ip_policy_ids']),
    inEffectWith: 'ip_policy_ids',
    path: { suffix: '/ip_restriction', since: 'described' },
  },
);
