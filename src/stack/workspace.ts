import type { PlanSnapshot } from '../model/plan/plan.ts';
import type { StackContext } from './stack-context.ts';
import { isLoopback } from '../model/host-in-url.ts';
import { wallClock } from '../api/clock.ts';
import type { WritePermit } from '../api/while-allowed.ts';
import { SluiceError, StateError } from '../diagnostics/errors.ts';
import { kinds } from '../kinds/index.ts';
import type { DesiredStack } from '../model/resource.ts';
import type { State } from '../model/state.ts';
import type { AccountSource } from '../refresh/account-source.ts';
import { serviceSource } from '../refresh/service-source.ts';
import { createDigester } from '../state/digest.ts';
import type { Backend } from '../state/backend.ts';
import { emptyState, type StateStore } from '../state/store.ts';
import { closeAll } from './close-all.ts';
import { apiKey } from './settings/api-key.ts';
import { clientsOf, type Clients, type RequestListener } from './service/clients.ts';
import { stateOptions } from './open-state.ts';
import { connect } from './service/connection.ts';
import { openLocked, type LockedBy, type OpenedBackend } from './open-backend.ts';
import { readStackConfig, type StackConfig } from './settings/stack-config.ts';

/** A stack, and what a plan of it is made from. */
export interface PlanningWorkspace extends StackConfig, Pick<Clients, 'gapMs'> {
  /** Where one refresh for these manifests reads the account. */
  readonly source: (desired: DesiredStack) => AccountSource;
  /** As last saved; undefined if there is no state. */
  readonly state: State | undefined;
  readonly digest: (text: string) => string;
  readonly parallelism: number;
  /** The service runs on this machine or in this process. */
  readonly isLocal: boolean;
  /** The account is read from a snapshot, in which no secret is. */
  readonly snapshot?: PlanSnapshot;
  /** The latest runs of this stack, newest first; absent without access to its state. */
  readonly runs?: Backend['runs'];
  readonly close: () => Promise<void>;
}

/** A stack with its service and its state, as every command that uses the service needs it. */
export interface Workspace extends PlanningWorkspace, Clients {
  readonly store: StateStore;
  readonly stateOrEmpty: State;
  /** Whether this run may still write: its lock may have been taken over while the process was paused. */
  readonly mayWrite: () => boolean;
  /** Whether it may not, because the store of its state has been unavailable for too long. */
  readonly isCutOff: () => boolean;
  /** The state is in a store that several machines share, at the other end of a network. */
  readonly isShared: boolean;
  /** Records how the run ended; undefined without the lock. */
  readonly beginRun: Backend['beginRun'] | undefined;
  readonly runs: Backend['runs'];
  /** Adds what is called with requests, and with waits before one is repeated. */
  readonly listen: (listener: RequestListener) => void;
}

/** Opens the stack of a command, with its service and its state. A command that writes holds the lock until it closes. */
export async function openWorkspace(
  context: StackContext,
  {
    parallelism,
    replaceUnreadable = false,
    opened,
    open: given,
    ...by
  }: LockedBy & {
    readonly parallelism: number;
    /** A state that cannot be read is set aside instead of ending the command. */
    readonly replaceUnreadable?: boolean;
    /** What the caller has opened, and keeps afterwards. */
    readonly opened?: OpenedBackend;
    /** The stack as read before; read now if absent. */
    readonly open?: StackConfig;
  },
): Promise<Workspace> {
  const open = given ?? (await readStackConfig(context));
  const key = apiKey(open, context.io);
  const stays = opened && { ...opened, close: () => Promise.resolve() };
  const { backend, lock, close: leave } = stays ?? (await openLocked(context, open, by));
  const connection = await connect(open, parallelism, context.io.network).catch(async (error: unknown) => {
    await leave().catch(() => undefined);
    throw error;
  });
  const permit = lock ?? neverPermitted;
  const listeners: RequestListener[] = [];
  let store: StateStore | undefined;
  const over = new AbortController();
  async function close(): Promise<void> {
    // Requests still waiting for a retry are aborted.
    over.abort();
    await closeAll(connection.close, () => store?.close(), leave);
  }
  try {
    const options = stateOptions(context, open, by.command);
    const { account } = options;
    store = backend.stateStore(options, lock);
    const state = await store.load().catch(async (error: unknown) => {
      if (!replaceUnreadable || !isUnreadable(error)) throw error;
      context.log('warn', `${error.message}; the unreadable state is kept as ${await backend.setAside(new Date())}`);
      return store?.load();
    });
    const stateOrEmpty = state === undefined ? emptyState(open.stack.id, account) : { ...state, account };
    const clients = clientsOf(context, {
      ...connection,
      vendor: open.vendor,
      key,
      rateLimit: open.settings.api.rate_limit,
      stack: open.dir,
      clock: context.io.clock ?? wallClock,
      permit,
      writeDeadlineMs: backend.writeDeadlineMs,
      onRetry: (wait) => listeners.forEach((one) => one.onRetry?.(wait)),
      onRequest: (request) => listeners.forEach((one) => one.onRequest?.(request)),
      over: over.signal,
    });
    return {
      ...open,
      ...clients,
      source: () => serviceSource(clients.reader, kinds),
      store,
      state,
      stateOrEmpty,
      digest: createDigester(stateOrEmpty.salt),
      parallelism,
      isLocal: open.baseUrl === 'embedded' || isLoopback(new URL(account).hostname),
      mayWrite: permit.isMine,
      isCutOff: () => lock?.isCutOff?.() === true,
      isShared: backend.writeDeadlineMs !== undefined,
      beginRun: lock === undefined ? undefined : backend.beginRun,
      runs: backend.runs,
      listen: (listener) => void listeners.push(listener),
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

// An outage proves nothing about the state.
function isUnreadable(error: unknown): error is SluiceError {
  if (error instanceof StateError) return error.code !== 'STORE_UNAVAILABLE';
  return error instanceof SluiceError && error.code === 'STATE_LOST';
}

// A command without the lock writes nothing.
const neverPermitted: WritePermit = {
  isMine: () => false,
  mayWrite: () => false,
  untilMayWrite: () => Promise.resolve(),
};
