import type { Kind, View, Within } from './kind.ts';
import { views } from './views.ts';

/** A kind that is nested in another. */
export type NestedKind = Kind & { readonly within: Within };

/** The kinds a run works with: sluice's own, or those plus one a test made up. */
export interface KindSet {
  readonly all: readonly Kind[];
  /** All families of the API: the kinds, and those that no manifest describes. */
  readonly families: readonly (Kind | View)[];
  readonly named: (name: string) => Kind | undefined;
  /** The kinds that are nested in another. */
  readonly within: (parent: string) => readonly NestedKind[];
  /** The name of the parent kind, or of the kind itself if it is not nested. */
  readonly outermost: (name: string) => string;
}

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
