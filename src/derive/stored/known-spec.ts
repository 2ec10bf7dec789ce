import type { Entry, StateObject } from '../../model/state.ts';

/** What an entry remembers of the fields of its resource: as last applied, and what the service would not clear. */
export function knownOf({ spec, unclearedFields }: Pick<Entry, 'spec' | 'unclearedFields'>): readonly StateObject[] {
  if (unclearedFields === undefined) return [spec];
  const left = Object.entries(unclearedFields).map(([pointer, value]) => [pointer.slice(1), value] as const);
  return [spec, Object.fromEntries(left)];
}
