import { module, refs, required } from '../fields.ts';

/** Only certain source addresses. */
export const ipRestriction = module(
  'Only source addresses that the policies let through.',
  {
    ip_policy_ids: required(
      refs('ip_policy', 'Policies checked against the source IP.', 'ip_policies', {
        atLeast: { count: 1, since: 'completed' },
        opens: 'changes',
      }),
    ),
  },
  { accessControl: 'network', inEffectWith: 'ip_policy_ids', path: { suffix: '/ip_restriction', since: 'described' } },
);
