import type { KindSet } from '../../../kinds/kind.ts';
import type { Actual } from '../../../model/actual.ts';
import { kindNamed } from '../../usage/kind-named.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** The part of an account to export. */
export interface ExportScope {
  /** Kinds that are exported completely; for a nested kind, the kind that contains it. */
  readonly roots: ReadonlySet<string>;
  /** Resources given by id. */
  readonly ids: readonly { readonly kind: string; readonly id: string }[];
  readonly covers: (actual: Actual) => boolean;
}

/** Parses the arguments of export: kinds, and `KIND/ID` for single resources. Nested resources are exported with the resource that contains them. */
export function exportScope(words: readonly string[], all: boolean, kinds: KindSet): ExportScope {
  const named = words.map((word) => {
    const slash = word.indexOf('/');
    const kind = kindNamed(slash === -1 ? word : word.slice(0, slash), kinds);
    const id = slash === -1 ? undefined : word.slice(slash + 1);
    if (id === '') throw new UsageError(`${JSON.stringify(word)} has no id`, 'use the form KIND/ID');
    if (id !== undefined && kind.within !== undefined)
      throw new UsageError(
        `${kind.name} cannot be exported by id; it is exported with its ${kind.within.kind}`,
        `pass ${kind.within.kind}/ID`,
      );
    return { kind: kinds.outermost(kind.name), id };
  });
  const ids = named.flatMap(({ kind, id }) => (id === undefined ? [] : [{ kind, id }]));
  const roots = new Set(
    all || words.length === 0
      ? kinds.all.filter(({ within }) => within === undefined).map(({ name }) => name)
      : named.flatMap(({ kind, id }) => (id === undefined ? [kind] : [])),
  );
  return {
    roots,
    ids,
    covers: ({ kind, id, parent }) =>
      roots.has(kinds.outermost(kind)) ||
      ids.some((one) => one.id === (kinds.named(kind)?.within === undefined ? id : parent)),
  };
}
