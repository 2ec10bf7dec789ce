import { everyActual, type Account } from '../model/actual.ts';

/** The ids of all resources in a refreshed account, managed or not: a later creation has none of them. */
export function seenIds(account: Account): ReadonlySet<string> {
  const { served = [] } = account;
  return new Set([...everyActual(account).map(({ id }) => id), ...served.flatMap(({ server }) => server ?? [])]);
}
