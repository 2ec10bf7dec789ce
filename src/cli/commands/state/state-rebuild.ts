import { addressNamed } from '../../../derive/address-named.ts';
import { InvalidInput } from '../../../diagnostics/errors.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Account, Actual } from '../../../model/actual.ts';
import { splitAddress, type Address } from '../../../model/address.ts';
import type { Desired, DesiredStack } from '../../../model/resource.ts';
import { atOnce } from '../../../model/sliced.ts';
import type { Entry, State } from '../../../model/state.ts';
import { everyFormerAddress } from '../../../plan/every-former-address.ts';
import { movesOf } from '../../../plan/moves.ts';
import { maskFromState } from '../../../refresh/mask-from-state.ts';
import { stateJson, stateTable } from '../../../render/resources/state-text.ts';
import { resolvedState } from '../../../state/resolved.ts';
import type { Context } from '../../context.ts';
import { loadDesired } from '../../../stack/plan/load-desired.ts';
import { UsageError, mustBeIdArgument } from '../../../stack/usage-error.ts';
import type { Workspace } from '../../../stack/workspace.ts';
import { readPart } from '../../read-part.ts';
import { withWorkspace } from '../../with-workspace.ts';
import {
  entriesOfOldInstances,
  entriesWithoutMarker,
  knownToStateAlone,
  oldInstancesOf,
  withoutReleased,
} from './known-to-state.ts';
import { namedActual, rebuiltEntry } from './rebuilt-entry.ts';

interface RebuildFlags {
  /** `ADDRESS=ID` for resources without an ownership marker. */
  readonly id?: readonly string[];
  readonly parallelism: number;
  readonly lockTimeout?: number;
}

/** Rebuilds the state from the account: resources with our ownership marker, resources given by id, and what only the state until now knows. Writes nothing to the service. */
export async function rebuildState(context: Context, flags: RebuildFlags): Promise<number> {
  const named = namedIds(flags.id ?? []);
  const options = { ...flags, command: 'state rebuild', writes: true, replaceUnreadable: true };
  return withWorkspace(context, options, async (workspace) => {
    const desired = await desiredOf(context, workspace);
    const before = workspace.state && knownToStateAlone(workspace.state, workspace.stack.profile);
    const account = await readAccountFor(named, desired, before, workspace);
    const isNamed = ({ kind, id }: Pick<Entry, 'kind' | 'id'>): boolean =>
      [...named].some(([address, one]) => one === id && splitAddress(address).kind === kind);
    const found = [
      ...[...account.ours].filter(([, actual]) => actual.marker !== undefined && !isNamed(actual)),
      ...[...named].map(([address, id]): [Address, Actual] => [
        address,
        namedActual(address, id, account, workspace.stack),
      ]),
    ];
    const wanted = wantedWhereFound(desired, account, workspace);
    // What the state until now knows to come from outside stays masked.
    const seen = found.map(([, actual]) => actual);
    const masked = atOnce(maskFromState(seen, kinds, workspace.state));
    const entries = Object.fromEntries(
      masked.flatMap((actual, at): [Address, Entry][] => {
        const address = found[at]?.[0];
        if (address === undefined) return [];
        const deposed = oldInstancesOf([address, actual], account, before);
        const entry = before?.entries[address];
        return [[address, rebuiltEntry(actual, wanted.get(address), entry, deposed, workspace.digest)]];
      }),
    );
    const kept = entriesWithoutMarker(workspace.stateOrEmpty, account);
    const others = Object.fromEntries(Object.entries(kept).filter(([, entry]) => !isNamed(entry)));
    const rebuilt = withoutReleased({
      ...workspace.stateOrEmpty,
      entries: { ...entriesOfOldInstances(before, account, found), ...others, ...entries },
    });
    const state = withCreationsFound(rebuilt, named);
    await workspace.store.save(state);
    await context.report(account.diagnostics.filter(({ code }) => code !== 'ADOPTED_BY_MARKER'));
    return context.result(
      () => stateTable(state, context.palette),
      () => stateJson(state),
    );
  });
}

/** The manifests, if they can be read: addresses that are too long for a marker are known from them. */
async function desiredOf(context: Context, workspace: Workspace): Promise<DesiredStack> {
  const nothing: DesiredStack = { resources: [], diagnostics: [], complete: false };
  if (workspace.settings.manifests.length === 0) return nothing;
  try {
    return (await loadDesired(context, workspace, {}, 'warning')).desired;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    context.log('warn', 'The manifests cannot be read; the state is rebuilt from ownership markers alone.');
    return nothing;
  }
}

/** What manifests say of each resource, by the address where it is: one that is to be renamed is still at its former address. */
function wantedWhereFound(
  { resources }: DesiredStack,
  account: Account,
  { state }: Workspace,
): ReadonlyMap<Address, Desired> {
  const { from } = movesOf(resources, { kinds, state, account });
  const own = resources.map((one) => [one.address, one] as const);
  return new Map([...own, ...own.map(([address, one]) => [from.get(address) ?? address, one] as const)]);
}

/** Resolves unknown creations whose resource was found; any other is left to a later run or to `state resolve`. */
function withCreationsFound(state: State, named: ReadonlyMap<Address, string>): State {
  const found = Object.entries(state.intents ?? {}).flatMap(([address, { nonces }]) => {
    const entry = state.entries[address];
    const isFound = named.has(address) || nonces.includes(entry?.nonce ?? '');
    return entry !== undefined && isFound ? [{ address, entry }] : [];
  });
  return found.reduce((before, { address, entry }) => resolvedState(before, address, entry) ?? before, state);
}

function readAccountFor(
  named: ReadonlyMap<Address, string>,
  { resources }: DesiredStack,
  state: State | undefined,
  workspace: Workspace,
): Promise<Account> {
  return readPart(workspace, {
    state,
    everything: true,
    wanted: new Set(kinds.all.map(({ name }) => name)),
    addresses: [...resources.map(({ address }) => address), ...Object.keys(workspace.stateOrEmpty.entries)],
    formerly: everyFormerAddress(resources, kinds),
    // Nested resources are read with the resource that contains them.
    adopt: [...named]
      .map(([address, id]) => ({ kind: splitAddress(address).kind, id }))
      .filter(({ kind }) => kinds.named(kind)?.within === undefined),
    acceptMissing: true,
  });
}

function namedIds(texts: readonly string[]): ReadonlyMap<Address, string> {
  const named = new Map(texts.map(namedId));
  const owners = new Map<string, Address>();
  for (const [address, id] of named) {
    const owner = owners.get(id);
    if (owner !== undefined)
      throw new UsageError(
        `--id names the id ${id} for both ${owner} and ${address}`,
        'pass each id for one address only',
      );
    owners.set(id, address);
  }
  return named;
}

function namedId(text: string): [Address, string] {
  const at = text.lastIndexOf('=');
  const address = addressNamed(text.slice(0, Math.max(0, at)), kinds);
  const id = text.slice(at + 1);
  if (id === '' || kinds.named(splitAddress(address).kind) === undefined)
    throw new UsageError(
      `--id ${quoted(text, 200)} does not have the form Kind/name=id`,
      'pass the address and the id, such as --id Kind/name=id',
    );
  mustBeIdArgument(id);
  return [address, id];
}
