import type { Account } from '../model/actual.ts';

/** Every id that an account showed when it was looked at, ours or not: none of them is what a later creation makes. */
export function seenIds({ ours, foreign, duplicates = [], deposed = [], served = [] }: Account): ReadonlySet<string> {
  const old = [...duplicates, ...deposed].map(({ actual }) => actual);
  const ids = [...ours.values(), ...foreign, ...old].map(({ id }) => id);
  return new Set([...ids, ...served.flatMap(({ server }) => server ?? [])]);
}
