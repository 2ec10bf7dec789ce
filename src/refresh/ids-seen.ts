import type { Account } from '../model/actual.ts';

/** The ids of all resources in a refreshed account, managed or not: a later creation has none of them. */
export function seenIds({ ours, foreign, duplicates = [], deposed = [], served = [] }: Account): ReadonlySet<string> {
  const old = [...duplicates, ...deposed].map(({ actual }) => actual);
  const ids = [...ours.values(), ...foreign, ...old].map(({ id }) => id);
  return new Set([...ids, ...served.flatMap(({ server }) => server ?? [])]);
}
