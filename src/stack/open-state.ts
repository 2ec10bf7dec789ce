import type { StackContext } from './stack-context.ts';
import { baseUrl } from '../api/base-url.ts';
import type { Lock } from '../state/lock.ts';
import { emptyState, type StateStore } from '../state/store.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import type { State } from '../model/state.ts';
import { embeddedUrl } from './service/connection.ts';
import { closeAll } from './close-all.ts';
import { openBackend, takeLock } from './open-backend.ts';
import { readStackConfig, type StackConfig } from './settings/stack-config.ts';

/** The state of a stack, for commands that need no service. */
export interface OpenState {
  readonly store: StateStore;
  readonly state: State;
  readonly close: () => Promise<void>;
}

/** Opens the state of the stack. A command that writes holds the lock until it closes. */
export async function openState(
  context: StackContext,
  {
    command,
    writes,
    lockTimeout,
  }: { readonly command: string; readonly writes: boolean; readonly lockTimeout?: number },
): Promise<OpenState> {
  const open = await readStackConfig(context);
  const account = accountOf(open);
  const backend = await openBackend(context, open);
  let lock: Lock | undefined;
  let store: StateStore | undefined;
  function close(): Promise<void> {
    return closeAll(
      () => store?.close(),
      () => lock?.release(),
      backend.close,
    );
  }
  try {
    if (writes) lock = await takeLock(context, backend, command, lockTimeout);
    const writer = { version: context.version, command };
    store = backend.stateStore({ lineage: open.stack.id, account, writer, pause: yieldToLoop() }, lock);
    const state = (await store.load()) ?? emptyState(open.stack.id, account);
    return { store, state, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The account of a stack, as its state names it. */
export function accountOf({ baseUrl: url }: Pick<StackConfig, 'baseUrl'>): string {
  const { origin, prefix } = baseUrl(url === 'embedded' ? embeddedUrl : url);
  return origin + prefix;
}
