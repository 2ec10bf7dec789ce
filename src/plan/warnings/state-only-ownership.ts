import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { flagsOf, type Decision } from '../decide.ts';

/** Facts that only state has, because the marker of the resource cannot be written again: they are lost if state is lost (decisions/0008). */
export function stateOnlyOwnership({ pair, markerInState }: Decision): Diagnostic[] {
  const { address, kind, desired, actual, entry, movedFrom } = pair;
  if (!markerInState || desired === undefined || actual === undefined) return [];
  const { protect, retain } = flagsOf(kind, desired.lifecycle);
  const news = [
    ...(entry === undefined ? ['the resource belongs to this stack'] : []),
    ...(movedFrom === undefined ? [] : [`the resource moved from ${movedFrom}`]),
    ...(entry !== undefined && entry.protect !== protect
      ? [`the resource is ${protect ? 'now' : 'no longer'} protected`]
      : []),
    ...(entry !== undefined && entry.retain !== retain
      ? [`the resource is ${retain ? 'retained' : 'deleted'} when its manifest is removed`]
      : []),
  ];
  return news.map((what) => ({
    code: 'OWNERSHIP_IN_STATE_ONLY',
    severity: 'note',
    message: `the ownership marker of ${address} cannot be updated; only the state records that ${what}`,
    address,
    place: desired.place,
  }));
}
