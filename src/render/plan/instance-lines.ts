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
  if (change.action === 'replace-create-first') return ['the new one is created first, then the old one is deleted'];
  if (change.deletedWith === undefined)
    return change.action === 'replace-delete-first'
      ? ['the old one is deleted first, then the new one is created']
      : [];
  const home = safeText(change.deletedWith);
  return [
    isReplacement(change.action)
      ? `the old one is deleted together with ${home}`
      : `deleted together with ${home}, without a request of its own`,
  ];
}

/** Protection and retention that change; other changes of the marker only where nothing else changes. */
function markerLines({ marker, markerBefore, markerOnly, markerDrifted }: Change): string[] {
  const isShown = markerOnly || markerDrifted === true;
  if (marker === undefined) return isShown ? ['the ownership marker is removed'] : [];
  if (markerBefore === undefined) return isShown ? ['the ownership marker is missing, and is restored'] : [];
  const flag = (letter: string, gained: string, lost: string): string[] => {
    const [had, has] = [markerBefore.p.includes(letter), marker.p.includes(letter)];
    return had === has ? [] : [has ? gained : lost];
  };
  const flags = [
    ...flag('p', 'protect is enabled', 'protect is disabled'),
    ...flag(
      'r',
      'retain is enabled: it is kept when its manifest is removed',
      'retain is disabled: it is deleted when its manifest is removed',
    ),
  ];
  if (flags.length > 0 || !isShown) return flags;
  return [
    markerBefore.a === marker.a
      ? 'the ownership marker was changed, and is repaired'
      : 'the ownership marker gets the new address',
  ];
}
