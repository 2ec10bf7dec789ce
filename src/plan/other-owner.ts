import { stackIdOf } from '../derive/marker.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { Marker } from '../model/actual.ts';

/** The other stack that an ownership marker names, as `name/id`, and its id; undefined where it names none. */
export interface OtherOwner {
  readonly text: string;
  readonly id: string;
}

/** The other stack that owns a resource, according to its ownership marker. */
export function otherOwner(marker: Marker | undefined, stack: { readonly id: string }): OtherOwner | undefined {
  if (marker === undefined || stackIdOf(marker) === stack.id) return undefined;
  return { text: safeText(marker.s, 160), id: safeText(stackIdOf(marker), 80) };
}

/** In words, as the end of a sentence about a resource: whose it is, if it is not ours. */
export function whoseText(owner: OtherOwner | undefined): string {
  return owner === undefined ? 'which this stack does not manage' : `which belongs to the stack ${owner.text}`;
}

/** The lifecycle settings that adopt a resource. */
export function adoptingText(id: string, owner: OtherOwner | undefined): string {
  return `lifecycle: {adopt: ${id}${owner === undefined ? '' : `, adopt_from: ${owner.id}`}}`;
}
