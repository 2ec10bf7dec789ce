import { Refused } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import type { Address } from '../../../model/address.ts';
import type { Entry, State } from '../../../model/state.ts';
import { refresh } from '../../../refresh/refresh.ts';
import { resolvedState } from '../../../state/resolved.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { openState } from '../../../stack/open-state.ts';
import { suggestAddress } from '../../../stack/address-suggestion.ts';
import { mustBeIdArgument } from '../../../stack/must-be-id.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { openWorkspace } from '../../../stack/workspace.ts';
import { namedActual } from './named-actual.ts';
import { rebuiltEntry } from './rebuilt-entry.ts';

/** What a person has found: the id of what is there, or that nothing is. */
export interface ResolveFlags {
  readonly id?: string;
  readonly absent?: boolean;
  readonly lockTimeout?: number;
}

/** Resolves a creation whose answer was lost, where no request can find out what it made. Writes nothing to the service. */
export async function resolveState(context: Context, address: string, flags: ResolveFlags): Promise<number> {
  if ((flags.id === undefined) === (flags.absent !== true))
    throw new UsageError('give either --id ID or --absent', 'check in the service which of the two holds');
  const about = { ...flags, command: 'state resolve', writes: true };
  if (flags.id !== undefined) mustBeIdArgument(flags.id);
  return flags.id === undefined
    ? resolveAbsent(context, address, about)
    : resolvePresent(context, address, flags.id, { ...about, parallelism: 10 });
}

async function resolveAbsent(
  context: Context,
  address: Address,
  about: Parameters<typeof openState>[1],
): Promise<number> {
  const { state, store, close } = await openState(context, about);
  try {
    await store.save(resolvedState(state, address) ?? nothingOpen(state, address));
    return tell(context, address, `${safeText(address)} is resolved: it does not exist.`);
  } finally {
    await close();
  }
}

async function resolvePresent(
  context: Context,
  address: Address,
  id: string,
  about: Parameters<typeof openWorkspace>[1],
): Promise<number> {
  const { reader, stack, memory, store, digest, parallelism, isLocal, close } = await openWorkspace(context, about);
  try {
    const { kind } = memory.intents?.[address] ?? nothingOpen(memory, address);
    const account = await refresh({
      client: reader,
      kinds,
      stack,
      state: memory,
      wanted: new Set([kind]),
      addresses: [address],
      adopt: [{ kind, id }],
      parallelism,
      isLocal,
    });
    mustBeFree(address, { kind, id }, memory);
    const entry = rebuiltEntry(namedActual(address, id, account, stack), undefined, digest);
    await store.save(resolvedState(memory, address, entry) ?? memory);
    return tell(
      context,
      address,
      `${safeText(address)} is resolved: it is ${safeText(id)}. The next plan shows what differs.`,
      id,
    );
  } finally {
    await close();
  }
}

/** What is another resource of this stack already is not this one as well. */
function mustBeFree(address: Address, made: Pick<Entry, 'kind' | 'id'>, { entries }: State): void {
  for (const [other, { kind, id }] of Object.entries(entries))
    if (other !== address && kind === made.kind && id === made.id)
      throw new Refused('ID_IN_USE', `${kind} ${safeText(id, 80)} is ${safeText(other)} of this stack`);
}

function nothingOpen({ intents = {} }: State, address: Address): never {
  throw new UsageError(
    `no creation of ${JSON.stringify(safeText(address, 200))} is unresolved`,
    suggestAddress(address, Object.keys(intents)) ?? '`sluice state list` lists unresolved creations',
  );
}

function tell(context: Context, address: Address, text: string, id?: string): number {
  context.result(
    () => `${text}\n`,
    () => ({ format_version: '1.0', resolved: { address, ...(id === undefined ? {} : { id }) } }),
  );
  return exitCodes.done;
}
