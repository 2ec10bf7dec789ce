import { counted } from '../diagnostics/counted.ts';
import { isUnallowedBreach } from '../model/access-rules.ts';
import type { Plan } from '../model/plan.ts';
import { unverifiedSecrets } from './unverified-secrets.ts';

/** Why a digest of a plan cannot be approved: it would not be of everything that apply does. Empty for most plans. */
export function whyNotApprovable(plan: Plan): readonly string[] {
  const blocked = plan.changes.filter((change) => change.blocked !== undefined).length;
  const unverified = unverifiedSecrets(plan).length;
  return [
    ...(plan.complete ? [] : ['it is a targeted plan']),
    ...(blocked === 0 ? [] : [`${counted(blocked, 'change is', 'changes are')} blocked`]),
    ...((plan.rules ?? []).some(isUnallowedBreach) ? ['an access rule is broken'] : []),
    ...(unverified === 0 ? [] : [`${counted(unverified, 'secret')} cannot be verified`]),
    ...(plan.unresolved.length === 0
      ? []
      : [`${counted(plan.unresolved.length, 'creation')} of an earlier run must be resolved`]),
  ];
}
