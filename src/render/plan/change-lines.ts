import { safeText } from '../../diagnostics/safe-text.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { SpecValue } from '../../kinds/value.ts';
import {
  isReplacement,
  type Change,
  type FileChange,
  type Plan,
  type UnmanagedFields,
  type UnmanagedReason,
} from '../../model/plan/plan.ts';
import { durationText } from '../../derive/duration.ts';
import type { Address } from '../../model/address.ts';
import { byAddress } from '../../model/group-by.ts';

/** Lines about a change as a whole: what comes first in a replacement, its parent, and its ownership marker. */
export function instanceLines(change: Change): string[] {
  const isChanged = change.action === 'update' || isReplacement(change.action);
  return [...homeLines(change), ...(isChanged ? markerLines(change) : [])];
}

function homeLines(change: Change): string[] {
  if (change.action === 'replace-create-first')
    return ['the new resource is created first, then the old resource is deleted'];
  if (change.deletedWith === undefined)
    return change.action === 'replace-delete-first'
      ? ['the old resource is deleted first, then the new resource is created']
      : [];
  const home = safeText(change.deletedWith);
  return [
    isReplacement(change.action)
      ? `the old resource is deleted together with ${home}`
      : `deleted together with ${home}, without a separate request`,
  ];
}

/** Protection and retention that change; other changes of the marker only where nothing else changes. None of a marker that is not written. */
function markerLines({ marker, markerBefore, markerOnly, markerDrifted, stateOnly }: Change): string[] {
  if (stateOnly !== undefined && !markerOnly) return [];
  const isShown = markerOnly || markerDrifted === true;
  if (marker === undefined) return isShown ? ['the ownership marker is removed'] : [];
  if (markerBefore === undefined) return isShown ? ['the ownership marker is missing and will be restored'] : [];
  const flag = (letter: string, gained: string, lost: string): string[] => {
    const [had, has] = [markerBefore.p.includes(letter), marker.p.includes(letter)];
    return had === has ? [] : [has ? gained : lost];
  };
  const flags = [
    ...flag('p', 'deletion protection is enabled', 'deletion protection is disabled'),
    ...flag(
      'r',
      '`lifecycle.on_remove: retain` is set: the resource is kept when its manifest is removed',
      '`lifecycle.on_remove: retain` is removed: the resource is deleted when its manifest is removed',
    ),
  ];
  if (flags.length > 0 || !isShown) return flags;
  if (markerBefore.a !== marker.a) return ['the ownership marker gets the new address of the resource'];
  return [
    markerBefore.s === marker.s
      ? 'the ownership marker was changed and will be repaired'
      : `the ownership marker gets the stack name ${safeText(marker.s.slice(0, marker.s.lastIndexOf('/')), 80)}`,
  ];
}

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

const unmanagedWords: Readonly<Record<UnmanagedReason, string>> = {
  ignored: 'listed in lifecycle.ignore',
  'unknown-default': 'not set; the default of the service is unknown',
  'not-cleared': 'the service does not clear this field',
  'not-in-profile': 'the API profile does not have this field',
};

/** The unmanaged fields of a change, a line each: `unmanaged: /description (listed in lifecycle.ignore)`. */
export function unmanagedLines(fields: UnmanagedFields): string[] {
  return Object.entries(fields).map(
    ([pointer, reason]) => `unmanaged: ${safeText(pointer)} (${unmanagedWords[reason]})`,
  );
}

const fileTexts: Readonly<Record<FileChange['reason'], (path: string) => string>> = {
  issued: (path) => `writes ${path} after the certificate is issued`,
  missing: (path) => `writes ${path}, because the file is missing`,
  different: (path) => `writes ${path}, because the file has other content`,
};

/** For each address, a text about its issued credential: its expiry, and its file. */
export function issueLines({ steps, files }: Plan): (address: Address) => string[] {
  const [stepsOf, filesOf] = [byAddress(steps), byAddress(files)];
  return (address) => [
    ...(stepsOf.get(address) ?? []).flatMap(({ request: { validFor } }) =>
      validFor === undefined ? [] : [`${safeText(validFor.field)}: ${durationText(validFor.seconds)} after apply`],
    ),
    ...(filesOf.get(address) ?? []).map(({ path, reason }) => fileTexts[reason](safeText(path))),
  ];
}
