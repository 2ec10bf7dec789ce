import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { fieldPath } from '../../diagnostics/field-path.ts';
import type { Path } from '../../kinds/value.ts';
import { splitAddress } from '../../model/address.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Decision } from '../decide.ts';
import type { PlanInput } from '../input.ts';
import { otherOwner, whoseText } from '../other-owner.ts';
import type { FoundResource } from './found-in-account.ts';

/** A resource that refers to another, and keeps the reference. */
interface Referrer extends FoundResource {
  /** The run does not decide about it: it is not a target, or not managed. */
  readonly isLeft?: boolean;
}

/** The error about a deletion that the service would refuse, because another resource refers to the deleted one. None for a nested resource: it is deleted together with its parent. */
export function stillReferenced(
  { pair: { address: deleted, actual: gone, desired } }: Decision,
  { address, actual, isLeft = false }: Referrer,
  path: Path,
  { kinds, stack, destroying }: PlanInput,
): Diagnostic[] {
  if (stack.profile === 'documented' || path[0] === kinds.named(actual.kind)?.within?.by) return [];
  const isTarget = address === undefined || !isLeft;
  const other = address ?? `${actual.kind} ${actual.id}`;
  const whose = address === undefined ? whoseText(otherOwner(actual.marker, stack)) : undefined;
  return [
    {
      severity: 'error',
      code: 'STILL_REFERENCED',
      address: deleted,
      ...(desired === undefined ? {} : { place: desired.place }),
      message: `the plan deletes ${gone?.id}, but \`${path[0]}\` of ${other}${isLeft ? `, ${whose ?? 'which this run does not change'},` : ''} still refers to it`,
      hint: isTarget
        ? `remove the reference from ${other} first, or ${destroying === true ? `keep ${deleted}: set \`lifecycle.on_remove: retain\` and apply it` : `keep ${deleted}`}`
        : `plan the whole stack, or include ${address} in the run`,
    },
  ];
}

/** The error about a manifest that has the id of a resource which the plan deletes: a request would be sent with that id all the same. */
export function wantedById(
  { pair: { address: deleted }, action }: Decision,
  { pair }: Decision,
  path: Path,
): Diagnostic {
  const place = pair.desired?.places.of(path);
  const isReplaced = isReplacement(action);
  return {
    severity: 'error',
    code: 'STILL_REFERENCED',
    address: pair.address,
    ...(place === undefined ? {} : { place }),
    message: `\`${fieldPath('', path)}\` has the id of ${deleted}, which the plan ${isReplaced ? 'replaces' : 'deletes'}`,
    hint: isReplaced
      ? `write {ref: ${splitAddress(deleted).name}} instead of the id`
      : `remove the reference, or keep ${deleted}`,
  };
}
