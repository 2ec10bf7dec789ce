import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { flagsOf, type Decision } from '../decide.ts';

/** What the marker of a resource cannot say, because it cannot be written again, and what is lost with state therefore (decisions/0008). */
export function stateOnlyOwnership({ pair, markerInState }: Decision): Diagnostic[] {
  const { address, kind, desired, actual, entry, movedFrom } = pair;
  if (!markerInState || desired === undefined || actual === undefined) return [];
  const { protect, retain } = flagsOf(kind, desired.lifecycle);
  const news = [
    ...(entry === undefined ? ['it belongs to this stack'] : []),
    ...(movedFrom === undefined ? [] : [`it moved from ${movedFrom}`]),
    ...(entry !== undefined && entry.protect !== protect ? [`it is ${protect ? 'now' : 'no longer'} protected`] : []),
    ...(entry !== undefined && entry.retain !== retain
      ? [`it is ${retain ? 'retained' : 'deleted'} when its manifest is removed`]
      : []),
  ];
  return news.map((what) => ({
    code: 'OWNERSHIP_IN_STATE_ONLY',
    severity: 'note',
    message: `its ownership marker cannot be updated; only state records that ${what}`,
    address,
    place: desired.place,
  }));
}
