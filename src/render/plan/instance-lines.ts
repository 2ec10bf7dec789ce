import { safeText } from '../../diagnostics/safe-text.ts';
import { isReplacement } from '../../model/replacement.ts';
import type { Change } from '../../model/plan.ts';

/** What is said of a change as a whole: what it goes with, and what becomes of its marker. */
export function instanceLines(change: Change): string[] {
  return [
    ...homeLines(change),
    ...(change.action === 'update' || isReplacement(change.action) ? markerLines(change) : []),
  ];
}

function homeLines(change: Change): string[] {
  if (change.withParent === undefined) return [];
  const home = safeText(change.withParent);
  return [
    isReplacement(change.action) ? `the old one goes with ${home}` : `goes with ${home}, without a request of its own`,
  ];
}

/** Protection and retention gained or given up; what else of the marker is written where nothing but the marker is. */
function markerLines({ marker, markerBefore, markerOnly, markerDrifted }: Change): string[] {
  const isTold = markerOnly || markerDrifted === true;
  if (marker === undefined) return isTold ? ['its marker is taken away'] : [];
  if (markerBefore === undefined) return isTold ? ['its marker is missing, and is written again'] : [];
  const flag = (letter: string, gained: string, lost: string): string[] => {
    const [had, has] = [markerBefore.p.includes(letter), marker.p.includes(letter)];
    return had === has ? [] : [has ? gained : lost];
  };
  const said = [
    ...flag('p', 'protected from now on', 'protection given up'),
    ...flag('r', 'stays from now on when its manifest goes', 'goes from now on when its manifest goes'),
  ];
  if (said.length > 0 || !isTold) return said;
  return [markerBefore.a === marker.a ? 'its marker was changed, and is repaired' : 'its marker names it anew'];
}
