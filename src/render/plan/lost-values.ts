import { safeText } from '../../diagnostics/safe-text.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { SpecValue } from '../../kinds/value.ts';
import type { Change } from '../../model/plan/plan.ts';
import { isReplacement } from '../../model/replacement.ts';

/** What the end of a resource gives up: for good, or so that a later resource can take it again. */
export function lostValues({ action, actual, desired, shows }: Change, kind: Kind | undefined): string[] {
  if (kind === undefined || !(action === 'delete' || isReplacement(action))) return [];
  const by = kind.clientAddress?.by ?? '';
  if (kind.destroys === 'address') return [`permanently lost: ${textsIn(shows[by])[0] ?? 'the assigned address'}`];
  if (kind.destroys === 'credential') return ['permanently lost: the issued credential'];
  // What becomes of the URLs of a kind that routes requests is a hazard of its own.
  if (kind.traffic !== undefined) return [];
  return kind.unique.flatMap(({ field }) => {
    const kept = textsIn(desired?.[field]);
    const released = textsIn(actual?.[field]).filter((value) => !kept.includes(value));
    return released.length === 0 ? [] : [`released, and available to other resources: ${released.join(', ')}`];
  });
}

function textsIn(value: SpecValue | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one) => (typeof one === 'string' && one !== '' ? [safeText(one, 300)] : []));
}
