import type { StackContext } from './stack-context.ts';
import { resolve } from 'node:path';
import { baseUrl } from '../api/base-url.ts';
import { fileStore } from '../state/file-store.ts';
import { lockOf, type Lock } from '../state/lock.ts';
import { emptyState, type StateStore } from '../state/store.ts';
import type { State } from '../model/state.ts';
import { embeddedUrl } from './connection.ts';
import { readStackConfig } from './stack-config.ts';
import { takeLock } from './take-lock.ts';

/** What a stack remembers, for commands that need no service. */
export interface OpenState {
  readonly store: StateStore;
  readonly state: State;
  readonly close: () => Promise<void>;
}

/** Opens the memory of the stack at hand. A command that writes holds the lock until it closes. */
export async function openState(
  context: StackContext,
  {
    command,
    writes,
    lockTimeout,
  }: { readonly command: string; readonly writes: boolean; readonly lockTimeout?: number },
): Promise<OpenState> {
  const open = await readStackConfig(context);
  const path = resolve(open.dir, open.settings.state.path);
  const { origin, prefix } = baseUrl(open.baseUrl === 'embedded' ? embeddedUrl : open.baseUrl);
  const account = origin + prefix;
  const lock: Lock | undefined = writes
    ? await takeLock(context, lockOf(path), `sluice ${command}`, lockTimeout)
    : undefined;
  try {
    const writer = { version: context.version, command };
    const store = fileStore({ path, lineage: open.stack.id, account, writer });
    const state = (await store.load()) ?? emptyState(open.stack.id, account);
    return {
      store,
      state,
      close: async () => {
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}
