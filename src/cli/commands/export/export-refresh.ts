import { offers } from '../../../derive/wire/operations.ts';
import type { KindSet } from '../../../kinds/kind.ts';
import type { Account } from '../../../model/actual.ts';
import { refresh } from '../../../refresh/refresh.ts';
import { serviceSource } from '../../../refresh/service-source.ts';
import { readEndpoints } from '../../../refresh/read-endpoints.ts';
import type { Workspace } from '../../../stack/workspace.ts';
import type { ExportScope } from './export-scope.ts';

/** Reads the part of an account to export. Kinds without a list operation are returned by name: there may be more resources of them. */
export async function refreshForExport(
  { roots, ids }: ExportScope,
  { reader, stack, stateOrEmpty, parallelism }: Pick<Workspace, 'reader' | 'stack' | 'stateOrEmpty' | 'parallelism'>,
  kinds: KindSet,
): Promise<{ readonly account: Account; readonly unlisted: readonly string[] }> {
  const asked = new Set([...roots, ...ids.map(({ kind }) => kind)]);
  const unlisted = kinds.all.filter((kind) => roots.has(kind.name) && !offers(kind, stack.profile).list);
  const serving = unlisted.filter(({ traffic }) => traffic?.listens !== undefined);
  const servers = serving.length === 0 ? [] : (await readEndpoints(reader)).flatMap(({ server }) => server ?? []);
  const isAsked = ([, { kind }]: readonly [string, { readonly kind: string }]): boolean =>
    asked.has(kinds.outermost(kind));
  const entries = Object.entries(stateOrEmpty.entries).filter(isAsked);
  const intents = Object.entries(stateOrEmpty.intents ?? {}).filter(isAsked);
  const account = await refresh({
    source: serviceSource(reader, kinds),
    kinds,
    stack,
    state: { ...stateOrEmpty, entries: Object.fromEntries(entries), intents: Object.fromEntries(intents) },
    wanted: roots,
    addresses: [],
    adopt: [...ids, ...serving.flatMap(({ name: kind }) => servers.map((id) => ({ kind, id })))],
    parallelism,
    acceptMissing: true,
  });
  return { account, unlisted: unlisted.map(({ name }) => name) };
}
