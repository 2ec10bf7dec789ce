import type { StackContext } from './stack-context.ts';
import { baseUrl } from '../api/base-url.ts';
import { emptyState, type StateStore, type StateStoreOptions } from '../state/store.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import type { State } from '../model/state.ts';
import { embeddedUrl } from './service/connection.ts';
import { closeAll } from './close-all.ts';
import { openLocked, type LockedBy } from './open-backend.ts';
import { readStackConfig, type StackConfig } from './settings/stack-config.ts';
import { stackFileAtHand } from './stack-file-at-hand.ts';

/** The state of a stack, for commands that need no service. */
export interface OpenState {
  readonly store: StateStore;
  readonly state: State;
  readonly close: () => Promise<void>;
}

/** Opens the state of the stack. A command that writes holds the lock until it closes. */
export async function openState(context: StackContext, by: LockedBy): Promise<OpenState> {
  const open = await readStackConfig(context);
  const options = stateOptions(context, open, by.command);
  const { backend, lock, close: leave } = await openLocked(context, open, by);
  const store = backend.stateStore(options, lock);
  const close = (): Promise<void> => closeAll(store.close, leave);
  try {
    const state = (await store.load()) ?? emptyState(options.lineage, options.account);
    return { store, state, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Whose state the store of a stack keeps, for a command. */
export function stateOptions(
  { version }: Pick<StackContext, 'version'>,
  open: Pick<StackConfig, 'baseUrl' | 'stack'>,
  command: string,
): StateStoreOptions {
  return { lineage: open.stack.id, account: accountOf(open), writer: { version, command }, pause: yieldToLoop() };
}

/** The account of a stack, as its state names it. */
export function accountOf({ baseUrl: url }: Pick<StackConfig, 'baseUrl'>): string {
  const { origin, prefix } = baseUrl(url === 'embedded' ? embeddedUrl : url);
  return origin + prefix;
}

/** The state of the stack at hand, for commands that also work without a stack. */
export async function stateAtHand(context: StackContext, command: string): Promise<State | undefined> {
  if (stackFileAtHand(context) === undefined) return undefined;
  const quiet = { ...context, report: () => Promise.resolve() };
  const { state, close } = await openState(quiet, { command, writes: false });
  await close();
  return state;
}
