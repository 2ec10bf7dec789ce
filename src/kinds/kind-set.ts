import type { Kind } from './kind.ts';

/** The kinds a run works with: sluice's own, or those plus one a test made up. */
export interface KindSet {
  readonly all: readonly Kind[];
  readonly named: (name: string) => Kind | undefined;
  /** The kinds that live inside another. */
  readonly within: (parent: string) => readonly Kind[];
}

/** Makes a set of kinds that can be asked by name. */
export function kindSet(all: readonly Kind[]): KindSet {
  const byName = new Map(all.map((kind) => [kind.name, kind]));
  return {
    all,
    named: (name) => byName.get(name),
    within: (parent) => all.filter(({ within }) => within?.kind === parent),
  };
}
