import { groupBy } from '../../model/group-by.ts';
import type { Selector } from '../../kinds/kind.ts';

/** Finds the few selectors whose path equals a given path or is a prefix of it. */
export function selectorsByPath<S extends { readonly selector: Selector }>(
  selectors: readonly S[],
): (path: string) => readonly S[] {
  const known = groupBy(selectors, ({ selector }) => selector.path);
  const lengths = [...new Set(selectors.map(({ selector }) => selector.path.length))];
  return (path) => lengths.flatMap((length) => (length > path.length ? [] : (known.get(path.slice(0, length)) ?? [])));
}
