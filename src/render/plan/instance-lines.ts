import { safeText } from '../../diagnostics/safe-text.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Change } from '../../model/plan/plan.ts';

/** Lines about a change as a whole: what comes first in a replacement, its parent, and its ownership marker. */
export function instanceLines(change: Change): string[] {
  return [
    ...homeLines(change),
    ...(change.action === 'update' || isReplacement(change.action) ? markerLines(change) : []),
  ];
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
