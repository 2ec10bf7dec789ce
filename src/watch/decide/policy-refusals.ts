import type { Address } from '../../model/address.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Change, Plan } from '../../model/plan.ts';
import type { PlanInput } from '../../plan/input.ts';
import { exceedsMaxDeletes, needsApproval } from '../../plan/policy.ts';

/** The changes of a plan that the policy allows only with approval, and why; approved changes are not counted. */
export function refusedByPolicy(
  { changes, hazards }: Plan,
  input: PlanInput,
  isApproved: (address: Address) => boolean,
): Map<Address, string> {
  const refused = new Map<Address, string>();
  const going = changes.filter((change) => countsAsDeletion(change) && !isApproved(change.address));
  if (exceedsMaxDeletes(going.length, input))
    for (const { address } of going)
      refused.set(address, `${String(going.length)} deletions exceed policy.max_deletes`);
  const block = new Set(input.policy.block);
  for (const hazard of hazards)
    if (needsApproval(hazard, block) && !isApproved(hazard.address))
      refused.set(hazard.address, `${hazard.code}: ${hazard.message}`);
  return refused;
}

/** The input without the policy, which is checked here change by change. */
export function withoutPolicy(input: PlanInput): PlanInput {
  return { ...input, allow: ['OPENS_ACCESS'], policy: { maxDeletes: { count: Number.MAX_SAFE_INTEGER }, block: [] } };
}

/** Whether a life ends by a change: that counts, but for what was made twice by mistake (decisions/0013). */
export function countsAsDeletion({ action, cleanup }: Pick<Change, 'action' | 'cleanup'>): boolean {
  return cleanup === undefined && (action === 'delete' || isReplacement(action));
}
