import type { Kind, KindSet, NestedKind } from './kind.ts';
import { views } from './views.ts';

/** Makes a set of kinds that can be asked by name. */
export function kindSet(all: readonly Kind[]): KindSet {
  const byName = new Map(all.map((kind) => [kind.name, kind]));
  const nested = all.filter((kind): kind is NestedKind => kind.within !== undefined);
  const inside = new Map(
    nested.map(({ within }) => [within.kind, nested.filter((other) => other.within.kind === within.kind)]),
  );
  return {
    all,
    families: [...all, ...views],
    named: (name) => byName.get(name),
    within: (parent) => inside.get(parent) ?? [],
    outermost: (name) => byName.get(name)?.within?.kind ?? name,
  };
}
