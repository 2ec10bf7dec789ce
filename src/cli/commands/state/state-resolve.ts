import { addressNamed } from '../../../derive/address-named.ts';
import { Refused } from '../../../diagnostics/errors.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Address } from '../../../model/address.ts';
import type { Entry, State } from '../../../model/state.ts';
import { resolvedState } from '../../../state/resolved.ts';
import type { Context } from '../../context.ts';
import { UsageError, suggestAddress, mustBeIdArgument } from '../../../stack/usage-error.ts';
import { readPart } from '../../read-part.ts';
import { withState, withWorkspace } from '../../with-workspace.ts';
import { namedActual, rebuiltEntry } from './rebuilt-entry.ts';

interface ResolveFlags {
  readonly id?: string;
  readonly absent?: boolean;
  readonly lockTimeout?: number;
}

/** Resolves a creation whose response was lost and that no request can look up. Writes nothing to the service. */
export async function resolveState(context: Context, word: string, flags: ResolveFlags): Promise<number> {
  const address = addressNamed(word, kinds);
  if ((flags.id === undefined) === (flags.absent !== true))
    throw new UsageError(
      'exactly one of --id and --absent is required',
      'check in the account whether the resource exists, then pass --id ID if it does, --absent if it does not',
    );
  const about = { ...flags, command: 'state resolve', writes: true };
  if (flags.id !== undefined) mustBeIdArgument(flags.id);
  return flags.id === undefined
    ? resolveAbsent(context, address, about)
    : resolvePresent(context, address, flags.id, { ...about, parallelism: 10 });
}

async function resolveAbsent(
  context: Context,
  address: Address,
  about: Parameters<typeof withState>[1],
): Promise<number> {
  return withState(context, about, async ({ state, store }) => {
    await store.save(resolvedState(state, address) ?? nothingOpen(state, address));
    return printResolved(context, address, `Resolved ${safeText(address)}: recorded that the resource does not exist.`);
  });
}

async function resolvePresent(
  context: Context,
  address: Address,
  id: string,
  about: Parameters<typeof withWorkspace>[1],
): Promise<number> {
  return withWorkspace(context, about, async (workspace) => {
    const { stack, stateOrEmpty, store, digest } = workspace;
    const { kind } = stateOrEmpty.intents?.[address] ?? nothingOpen(stateOrEmpty, address);
    const account = await readPart(workspace, {
      state: stateOrEmpty,
      wanted: new Set([kind]),
      addresses: [address],
      adopt: [{ kind, id }],
    });
    mustBeFree(address, { kind, id }, stateOrEmpty);
    const entry = rebuiltEntry(namedActual(address, id, account, stack), undefined, undefined, [], digest);
    await store.save(resolvedState(stateOrEmpty, address, entry) ?? stateOrEmpty);
    return printResolved(
      context,
      address,
      `Resolved ${safeText(address)}: the id of the resource is ${safeText(id)}. The next plan shows how the resource differs from its manifest.`,
      id,
    );
  });
}

/** Refuses an id that already belongs to another address of this stack. */
function mustBeFree(address: Address, made: Pick<Entry, 'kind' | 'id'>, { entries }: State): void {
  for (const [other, { kind, id }] of Object.entries(entries))
    if (other !== address && kind === made.kind && id === made.id)
      throw new Refused(
        'ID_IN_USE',
        `${kind} ${safeText(id, 80)} is already managed as ${safeText(other)} in this stack`,
      );
}

function nothingOpen({ intents = {} }: State, address: Address): never {
  throw new UsageError(
    `${quoted(address, 200)} has no unresolved creation`,
    suggestAddress(address, Object.keys(intents)) ?? 'run `sluice state list` to list unresolved creations',
  );
}

function printResolved(context: Context, address: Address, text: string, id?: string): number {
  return context.done(`${text}\n`, { resolved: { address, id } });
}
