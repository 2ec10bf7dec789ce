import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { flagsOf, type Decision } from './decide.ts';

/** What the marker of a resource cannot say, because it cannot be written again, and what is lost with state therefore (decisions/0008). */
export function stateOnlyOwnership({ pair, markerInState }: Decision): Diagnostic[] {
  const { address, kind, desired, actual, entry, movedFrom } = pair;
  if (!markerInState || desired === undefined || actual === undefined) return [];
  const { protect, retain } = flagsOf(kind, desired.lifecycle);
  const news = [
    ...(entry === undefined ? ['it is ours'] : []),
    ...(movedFrom === undefined ? [] : [`it was ${movedFrom} before`]),
    ...(entry !== undefined && entry.protect !== protect ? [`it is protected ${protect ? 'now' : 'no more'}`] : []),
    ...(entry !== undefined && entry.retain !== retain
      ? [`it ${retain ? 'stays' : 'goes'} when its manifest goes`]
      : []),
  ];
  return news.map((what) => ({
    code: 'OWNERSHIP_IN_STATE_ONLY',
    severity: 'note',
    message: `its metadata cannot be updated here, so that ${what} is kept in state alone`,
    address,
    place: desired.place,
  }));
}
