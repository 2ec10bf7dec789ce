import { counted } from '../../diagnostics/counted.ts';
import type { Address } from '../../model/address.ts';
import {
  causesOf,
  hazardCodes,
  type Change,
  type HazardCode,
  type Plan,
  isReplacement,
} from '../../model/plan/plan.ts';
import { ruleName } from '../../plan/access-policy/finding-message.ts';
import { allowedRule } from '../../plan/access-policy/plan-rules.ts';
import type { PlanInput } from '../../plan/input.ts';
import { exceededLimit, whyApproval } from '../../plan/policy.ts';

/** Why the policy allows a change only with approval. */
export interface PolicyRefusal {
  readonly message: string;
  /** The hazard that the message repeats. */
  readonly hazardCode?: HazardCode;
}

/** The changes of a plan that the policy allows only with approval, and why; approved changes are not counted. */
export function refusedByPolicy(
  { changes, hazards, rules = [] }: Plan,
  input: PlanInput,
  isApproved: (address: Address) => boolean,
): Map<Address, PolicyRefusal> {
  const refused = new Map<Address, PolicyRefusal>();
  const going = changes.filter((change) => countsAsDeletion(change) && !isApproved(change.address));
  const limit = exceededLimit(going.length, input);
  if (limit !== undefined) {
    const message = `${counted(going.length, 'deletion')} in one plan: ${limit.text} without approval`;
    for (const { address } of going) refused.set(address, { message });
  }
  const block = new Set(input.policy.block);
  for (const hazard of hazards)
    for (const address of whyApproval(hazard, block) === undefined ? [] : causesOf(hazard))
      if (!isApproved(address))
        refused.set(address, { message: `${hazard.code}: ${hazard.message}`, hazardCode: hazard.code });
  for (const rule of rules)
    for (const address of rule.isBreach && rule.source === 'repository' ? rule.causes : [])
      if (!isApproved(address)) refused.set(address, { message: `the change breaks ${ruleName(rule)}` });
  return refused;
}

/** The input without the policy, which is checked here change by change. */
export function withoutPolicy(input: PlanInput): PlanInput {
  const policy = { ...input.policy, maxDeletes: { count: Number.MAX_SAFE_INTEGER }, block: [] };
  const rules = (input.policy.access ?? []).flatMap((set) => set.rules.map(({ name }) => allowedRule(name)));
  return { ...input, allow: [...hazardCodes, ...rules], policy };
}

/** Whether a change deletes an instance that counts as a deletion: duplicates that were created by mistake do not (decisions/0013). */
export function countsAsDeletion({ action, cleanup }: Pick<Change, 'action' | 'cleanup'>): boolean {
  return cleanup === undefined && (action === 'delete' || isReplacement(action));
}
