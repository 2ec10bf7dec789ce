import { hostname } from 'node:os';
import { dirname, relative, resolve } from 'node:path';
import { StoreRefused } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { isInGit, realTarget } from '../files/real-path.ts';
import { defaultStatePath } from '../manifest/stack-file/default-state-path.ts';
import { writtenStatePath } from '../manifest/stack-file/stack-file.ts';
import type { Backend } from '../state/backend.ts';
import { builtThread } from '../state/lease/lease-thread.ts';
import { machineTime } from '../state/lease/lease-time.ts';
import { fileBackend } from '../state/file/file-backend.ts';
import { realStatePath } from '../state/file/real-state-path.ts';
import type { Lock, LockOptions } from '../state/lock.ts';
import { present } from '../model/present.ts';
import type { SharedStoreOptions } from '../state/shared-store.ts';
import { closeAll } from './close-all.ts';
import { leaseTiming } from './settings/lease-settings.ts';
import { pipelineRunUrl } from './settings/pipeline-run-url.ts';
import { sharedStoreOptions } from './settings/shared-store-options.ts';
import type { StackConfig } from './settings/stack-config.ts';
import type { StackContext } from './stack-context.ts';
import { userName } from '../state/lease/lease.ts';

/** The variable with the path of the socket of a watch; by default it is beside a state that is in files. */
export const socketVariable = 'SLUICE_WATCH_SOCKET';

/** Opens the storage backend of the stack. Only this function knows where it is. */
export async function openBackend(
  { io }: Pick<StackContext, 'io'>,
  open: Pick<StackConfig, 'dir' | 'settings' | 'stack' | 'network' | 'untrusted'>,
): Promise<Backend> {
  const options = await sharedStoreOptions(io, open);
  const backend =
    options === undefined ? openFiles(open.dir, open.settings.state.path) : await openShared(io, open, options);
  const socket = io.env[socketVariable];
  return socket === undefined || socket === '' ? backend : { ...backend, socketPath: resolve(io.cwd, socket) };
}

/**
 * The storage backend of a stack whose `sluice.yaml` is invalid: files where that still says so, or else the default.
 * Its socket is the one beside the state: that a watch listens there shows that its state is there.
 */
export function openBackendBeside(stackFile: string): Backend {
  return openFiles(dirname(stackFile), writtenStatePath(stackFile));
}

/** A backend over a state file of the stack in this directory, wherever its settings keep the state. */
export function openFiles(dir: string, path = defaultStatePath): Backend {
  const full = resolve(dir, path);
  const real = realStatePath(full);
  if (isInGit(relative(realTarget(dir) ?? dir, realTarget(real) ?? real)))
    throw new StoreRefused('STATE_PATH_IN_GIT', `the state file ${safeText(path, 200)} is inside a .git directory`, {
      hint: 'use a state file outside of .git: set state.path in sluice.yaml, or --file of `sluice state push` or `sluice state pull`',
    });
  return fileBackend(full);
}

async function openShared(
  { env }: StackContext['io'],
  { settings }: Pick<StackConfig, 'settings'>,
  options: SharedStoreOptions,
): Promise<Backend> {
  const [{ openSharedStore }, { remoteBackend }, { keepInThisThread, keepOnThread }] = await Promise.all([
    import('../state/shared-store.ts'),
    import('../state/remote/remote-backend.ts'),
    import('../state/remote/kept-lease.ts'),
  ]);
  const timing = leaseTiming(settings.state);
  const store = await openSharedStore(options);
  const thread = builtThread('heartbeat');
  return remoteBackend({
    store,
    timing,
    time: machineTime,
    owner: { owner: userName(), host: hostname(), pid: process.pid, ...present({ url: pipelineRunUrl(env) }) },
    keep: (taken) =>
      thread === undefined
        ? keepInThisThread(store, taken, timing, machineTime)
        : keepOnThread(thread, { store: options, taken, timing }),
  });
}

/** A storage backend, and the lock of its stack where the run may write. */
export interface OpenedBackend {
  readonly backend: Backend;
  readonly lock: Lock | undefined;
}

/** Opens the storage backend of a stack for a command. One that writes has the lock until it closes. */
export async function openLocked(
  context: StackContext,
  open: StackConfig,
  { command, writes, lockTimeout }: LockedBy,
): Promise<OpenedBackend & { readonly close: () => Promise<void> }> {
  const backend = await openBackend(context, open);
  try {
    const lock = writes ? await takeLock(context, backend, command, lockTimeout) : undefined;
    return { backend, lock, close: () => closeAll(() => lock?.release(), backend.close) };
  } catch (error) {
    await backend.close().catch(() => undefined);
    throw error;
  }
}

/** Which command opens a stack, whether it writes, and how many seconds it waits for the lock. */
export interface LockedBy {
  readonly command: string;
  readonly writes: boolean;
  readonly lockTimeout?: number | undefined;
}

/** Takes the lock of a stack for a command, waiting for whoever holds it as many seconds as the person allows. */
export function takeLock(
  context: StackContext,
  backend: Backend,
  command: string,
  seconds?: number,
  isDestination = false,
): Promise<Lock> {
  return backend.acquireLock(`sluice ${command}`, {
    ...lockOptions(context, seconds),
    ...(isDestination ? { isDestination } : {}),
  });
}

/** How long to wait for a lock, and what to call while waiting. */
export function lockOptions(context: StackContext, seconds = 0): LockOptions {
  return {
    patience: seconds * 1000,
    signal: context.io.signal,
    onWait: (holder) => context.log('info', `waiting for the lock that ${holder} holds`),
  };
}
