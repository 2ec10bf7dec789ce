import { ownerOf, stackNameOf } from '../../derive/marker.ts';
import { kinds } from '../../kinds/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Actual } from '../../model/actual.ts';
import { addressOf, type Address } from '../../model/address.ts';
import { readAccount } from '../../refresh/read-account.ts';
import { serviceSource } from '../../refresh/service-source.ts';
import { liveJson, liveTable, liveYaml, type Live } from '../../render/resources/resources-text.ts';
import type { Context } from '../context.ts';
import { kindNamed } from '../usage/kind-named.ts';
import { NotFound } from '../../diagnostics/errors.ts';
import type { Workspace } from '../../stack/workspace.ts';
import { withWorkspace } from '../with-workspace.ts';

/** Shows live resources of a kind, or one of them. */
export async function get(
  context: Context,
  what: string,
  given: string | undefined,
  { output = 'table' }: { readonly output?: 'table' | 'yaml' | 'json' },
): Promise<number> {
  // `edge/shop` is `edge shop`.
  const [word = '', ...rest] = what.split('/');
  const name = given ?? (rest.length === 0 ? undefined : rest.join('/'));
  const kind = kindNamed(word);
  return withWorkspace(context, { parallelism: 10, command: 'get', writes: false }, async (workspace) => {
    const recorded = new Map(
      Object.entries(workspace.stateOrEmpty.entries).map(([address, entry]) => [`${entry.kind} ${entry.id}`, address]),
    );
    const all = (await liveOf(workspace, kind, name)).map((actual) =>
      ownership(actual, recorded.get(`${actual.kind} ${actual.id}`), workspace),
    );
    const found = all
      .filter(
        ({ actual, address }) => name === undefined || name === actual.id || address === addressOf(kind.name, name),
      )
      .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
    if (name !== undefined && found.length === 0)
      throw new NotFound(
        'RESOURCE_NOT_FOUND',
        `${kind.name} ${JSON.stringify(name)} not found`,
        `run \`sluice get ${word}\` to list all resources of this kind`,
      );
    return context.result(
      () => (output === 'yaml' ? liveYaml(found) : liveTable(kind, found, context.palette)),
      () => ({ format_version: '1.0', resources: found.map(liveJson) }),
    );
  });
}

/** All live resources of one kind; of other kinds only those that contain it. */
async function liveOf(
  { reader, stack, stateOrEmpty, parallelism }: Workspace,
  kind: Kind,
  name: string | undefined,
): Promise<Actual[]> {
  const outer = kinds.outermost(kind.name);
  const entries = Object.entries(stateOrEmpty.entries).filter(([, entry]) => [kind.name, outer].includes(entry.kind));
  const { seen } = await readAccount({
    source: serviceSource(reader, kinds),
    kinds,
    stack,
    state: { ...stateOrEmpty, entries: Object.fromEntries(entries) },
    wanted: new Set([outer]),
    // An address that is not in state, so that resources that are not in state are read as well.
    addresses: new Set([addressOf(outer, '?')]),
    adopt:
      name?.startsWith(`${kind.idPrefix}_`) === true && kind.within === undefined
        ? [{ kind: kind.name, id: name }]
        : [],
    parallelism,
  });
  return seen.filter((actual) => actual.kind === kind.name);
}

/** The owner of a resource: this stack by marker or state, another stack by its marker, or none. */
function ownership(actual: Actual, recorded: Address | undefined, { stack }: Workspace): Live {
  const { marker } = actual;
  const isOurs = marker === undefined ? recorded !== undefined : marker.s === ownerOf(stack);
  if (isOurs) return { actual, address: recorded ?? marker?.a, stack: stack.name };
  return { actual, address: undefined, stack: marker === undefined ? undefined : stackNameOf(marker) };
}

/** Resources of this stack first, by name. */
function orderOf({ address, actual }: Live): string {
  return address === undefined ? `1 ${actual.id}` : `0 ${address}`;
}
