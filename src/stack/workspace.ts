import type { StackContext } from './stack-context.ts';
import { baseUrl, isLoopback } from '../api/base-url.ts';
import type { Client, CompletedRequest } from '../api/client.ts';
import { wallClock } from '../api/clock.ts';
import type { RetryWait } from '../api/retry.ts';
import { StateError } from '../diagnostics/errors.ts';
import type { State } from '../model/state.ts';
import { createDigester } from '../state/digest.ts';
import type { Backend } from '../state/backend.ts';
import type { Lock } from '../state/lock.ts';
import { emptyState, type StateStore } from '../state/store.ts';
import { apiKey } from './api-key.ts';
import { clientsOf } from './clients.ts';
import { connect } from './connection.ts';
import { openBackend } from './open-backend.ts';
import { readStackConfig, type StackConfig } from './stack-config.ts';
import { takeLock } from './take-lock.ts';

/** A stack with its service and its state, as every command that uses the service needs it. */
export interface Workspace extends StackConfig {
  /** Refuses everything but GET (law 2). */
  readonly reader: Client;
  /** May write. What it has sent is waited for, also after an interruption. */
  readonly writer: () => Client;
  /** Milliseconds between two requests, where a limit is given or was learned. */
  readonly gapMs: () => number | undefined;
  readonly store: StateStore;
  /** As last saved; undefined when nothing is remembered. */
  readonly state: State | undefined;
  /** The same, or an empty one to go on from. */
  readonly stateOrEmpty: State;
  readonly digest: (text: string) => string;
  readonly parallelism: number;
  /** The service is on this machine, or inside this process. */
  readonly isLocal: boolean;
  /** Whether this run still is the one that may write: its lock may have been taken over while it was paused. */
  readonly mayWrite: () => boolean;
  /** Has somebody told of each wait before a request is repeated. */
  readonly onRetry: (tell: (wait: RetryWait) => void) => void;
  /** Has somebody told of each request that is over. */
  readonly onRequest: (tell: (request: CompletedRequest) => void) => void;
  readonly close: () => Promise<void>;
}

/** Opens the stack a command is about, with the way to its service and its state. A command that writes holds the lock until it closes. */
export async function openWorkspace(
  context: StackContext,
  {
    parallelism,
    command,
    writes,
    lockTimeout,
    anew = false,
    mayBegin,
    held,
    backend: opened,
    open: given,
  }: {
    readonly parallelism: number;
    readonly command: string;
    readonly writes: boolean;
    readonly lockTimeout?: number;
    /** The state is to be made anew: one that cannot be read is no obstacle, it is set aside. */
    readonly anew?: boolean;
    /** Asked before the lock is taken, once there is a stack and a key for it; throws what is in the way. */
    readonly mayBegin?: () => void;
    /** The lock, where the caller holds it already, and goes on holding it afterwards. */
    readonly held?: Lock;
    /** What the stack remembers, where the caller has opened it, and closes it. */
    readonly backend?: Backend;
    /** The stack as it was read before; read now when left out. */
    readonly open?: StackConfig;
  },
): Promise<Workspace> {
  const open = given ?? (await readStackConfig(context));
  const key = apiKey(open, context.io);
  mayBegin?.();
  const backend = opened ?? (await openBackend(open));
  let own: Lock | undefined;
  const leave = async (): Promise<void> => {
    await own?.release();
    if (backend !== opened) await backend.close();
  };
  const connection = await (async () => {
    if (writes) own = await takeLock(context, backend, command, lockTimeout);
    return connect(open, parallelism, context.io.network);
  })().catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  const lock = held ?? own;
  const mayWrite = (): boolean => lock?.isMine() === true;
  const waitTold = new Set<(wait: RetryWait) => void>();
  const requestTold = new Set<(request: CompletedRequest) => void>();
  let store: StateStore | undefined;
  const over = new AbortController();
  async function close(): Promise<void> {
    // What still waits to be repeated has nobody to tell.
    over.abort();
    try {
      await connection.close();
      await store?.close();
    } finally {
      await leave();
    }
  }
  try {
    const { origin, prefix } = baseUrl(connection.baseUrl);
    const account = origin + prefix;
    const writtenBy = { version: context.version, command };
    store = backend.stateStore({ lineage: open.stack.id, account, writer: writtenBy }, lock);
    const state = await store.load().catch(async (error: unknown) => {
      if (!anew || !(error instanceof StateError)) throw error;
      context.log('warn', `${error.message}; it is kept as ${await backend.setAside(new Date())}`);
      return store?.load();
    });
    const stateOrEmpty = state === undefined ? emptyState(open.stack.id, account) : { ...state, account };
    const { reader, writer, gapMs } = clientsOf(context, {
      ...connection,
      vendor: open.vendor,
      key,
      rateLimit: open.settings.api.rate_limit,
      clock: context.io.clock ?? wallClock,
      mayWrite,
      onRetry: (wait) => {
        for (const tell of waitTold) tell(wait);
      },
      onRequest: (request) => {
        for (const tell of requestTold) tell(request);
      },
      over: over.signal,
    });
    return {
      ...open,
      reader,
      writer: () => writer,
      gapMs,
      store,
      state,
      stateOrEmpty,
      digest: createDigester(stateOrEmpty.salt),
      parallelism,
      isLocal: open.baseUrl === 'embedded' || isLoopback(new URL(origin).hostname),
      mayWrite,
      onRetry: (tell) => void waitTold.add(tell),
      onRequest: (tell) => void requestTold.add(tell),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
