import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { formerAddresses } from '../../model/resource.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { adoptingText, otherOwner } from '../other-owner.ts';

/** An error where a resource would be created again although it exists: another stack has made it its own. */
export function takenOver({ pair, action }: Decision, { account, stack }: PlanInput): Diagnostic[] {
  const { desired, address } = pair;
  if (desired === undefined || action !== 'create') return [];
  for (const known of [address, ...formerAddresses(desired.lifecycle)]) {
    const actual = account.takenOver?.get(known);
    const owner = otherOwner(actual?.marker, stack);
    // What cannot be adopted says so itself.
    if (actual === undefined || owner === undefined || desired.lifecycle.adopt === actual.id) continue;
    return [
      {
        code: 'OWNED_BY_OTHER_STACK',
        severity: 'error',
        address,
        place: desired.placeOf([]),
        message: `${known} (${actual.id}) now belongs to the stack ${owner.text}, which has adopted it; it is not created a second time`,
        hint: `remove it from the manifests of this stack: apply then removes it from state alone; or take it back with ${adoptingText(actual.id, owner)}`,
      },
    ];
  }
  return [];
}
