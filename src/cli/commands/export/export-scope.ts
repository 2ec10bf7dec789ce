import { offers } from '../../../derive/wire/operations.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Account, Actual } from '../../../model/actual.ts';
import { readEndpoints } from '../../../refresh/service-source.ts';
import { readPart, stateOf } from '../../read-part.ts';
import { kindNamed } from '../../usage/kind-named.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Workspace } from '../../../stack/workspace.ts';

/** The part of an account to export. */
export interface ExportScope {
  /** Kinds that are exported completely; for a nested kind, the kind that contains it. */
  readonly roots: ReadonlySet<string>;
  /** Resources given by id. */
  readonly ids: readonly { readonly kind: string; readonly id: string }[];
  readonly covers: (actual: Actual) => boolean;
}

/** Parses the arguments of export: kinds, and `KIND/ID` for single resources. Nested resources are exported with the resource that contains them. */
export function exportScope(words: readonly string[], all: boolean): ExportScope {
  const named = words.map((word) => {
    const slash = word.indexOf('/');
    const kind = kindNamed(slash === -1 ? word : word.slice(0, slash));
    const id = slash === -1 ? undefined : word.slice(slash + 1);
    if (id === '') throw new UsageError(`${JSON.stringify(word)} has no id`, 'use the form KIND/ID');
    if (id !== undefined && kind.within !== undefined)
      throw new UsageError(
        `${kind.name} cannot be exported by id: export the ${kind.within.kind} that contains the resource`,
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

/** Reads the part of an account to export. Kinds without a list operation are returned by name: there may be more resources of them. */
export async function refreshForExport(
  { roots, ids }: ExportScope,
  workspace: Parameters<typeof readPart>[0] & Pick<Workspace, 'stateOrEmpty'>,
): Promise<{ readonly account: Account; readonly unlisted: readonly string[] }> {
  const { reader, stack, stateOrEmpty } = workspace;
  const unlisted = kinds.all.filter((kind) => roots.has(kind.name) && !offers(kind, stack.profile).list);
  const serving = unlisted.filter(({ traffic }) => traffic?.listens !== undefined);
  const servers = serving.length === 0 ? [] : (await readEndpoints(reader)).flatMap(({ server }) => server ?? []);
  const account = await readPart(workspace, {
    state: stateOf(stateOrEmpty, new Set([...roots, ...ids.map(({ kind }) => kind)])),
    wanted: roots,
    addresses: [],
    adopt: [...ids, ...serving.flatMap(({ name: kind }) => servers.map((id) => ({ kind, id })))],
    acceptMissing: true,
  });
  return { account, unlisted: unlisted.map(({ name }) => name) };
}
