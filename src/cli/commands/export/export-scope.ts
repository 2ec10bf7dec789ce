import type { KindSet } from '../../../kinds/kind-set.ts';
import type { Actual } from '../../../model/actual.ts';
import { kindNamed } from '../../kind-named.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** What part of an account is to be exported. */
export interface ExportScope {
  /** Kinds of which everything is; of one that lives in another, that other. */
  readonly roots: ReadonlySet<string>;
  /** Resources that were named. */
  readonly ids: readonly { readonly kind: string; readonly id: string }[];
  readonly covers: (actual: Actual) => boolean;
}

/** Reads what a person wants to be exported: kinds, and `KIND/ID` for single resources. What lives in a resource comes along with it. */
export function exportScope(words: readonly string[], all: boolean, kinds: KindSet): ExportScope {
  const named = words.map((word) => {
    const slash = word.indexOf('/');
    const kind = kindNamed(slash === -1 ? word : word.slice(0, slash), kinds);
    const id = slash === -1 ? undefined : word.slice(slash + 1);
    if (id === '') throw new UsageError(`${JSON.stringify(word)} names no id`, 'write KIND/ID');
    if (id !== undefined && kind.within !== undefined)
      throw new UsageError(`a ${kind.name} comes along with the ${kind.within.kind} it lives in`, 'name that one');
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
