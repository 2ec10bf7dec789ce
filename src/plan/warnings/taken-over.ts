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
    // A resource that cannot be adopted has an error of its own.
    if (actual === undefined || owner === undefined || desired.lifecycle.adopt === actual.id) continue;
    return [
      {
        code: 'OWNED_BY_OTHER_STACK',
        severity: 'error',
        address,
        place: desired.places.of([]),
        message: `${known} (${actual.id}) now belongs to the stack ${owner.text}, which has adopted the resource; apply does not create it again`,
        hint: `remove the manifest of the resource from this stack: apply then removes the resource only from the state; or adopt the resource again with ${adoptingText(actual.id, owner)}`,
      },
    ];
  }
  return [];
}
