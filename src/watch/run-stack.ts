import { wallClock } from '../api/clock.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import { keptDocuments } from '../manifest/read/kept-documents.ts';
import type { Backend } from '../state/backend.ts';
import type { Lock } from '../state/lock.ts';
import { watch } from './loop.ts';
import type { WatchStatus } from '../model/status/watch-status.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { failureDetails } from './failures.ts';
import type { Ports } from './ports.ts';
import { allowedInputs } from './source/allowed-inputs.ts';
import { watchSource } from './source/watch-source.ts';
import { socketVariable } from '../stack/open-backend.ts';
import { systemReason } from '../diagnostics/system-reason.ts';
import type { ControlRequests } from './control/control-requests.ts';
import { listenOnSocket, type ControlSocket } from './control/control-socket.ts';
import { readStackConfig, type StackConfig } from '../stack/settings/stack-config.ts';
import { settingTargets, type RestartSetting } from './restart-settings.ts';
import type { StackReporting } from './stack-reporting.ts';
import { loadStack, type LoadedManifests } from './load-stack.ts';
import { present } from '../model/present.ts';
import { milliseconds } from '../stack/settings/lease-settings.ts';
import { isShared, requireDurableState, requireUncommittedState } from './require-durable-state.ts';
import { watchHolder } from '../state/lock-hint.ts';

/** How to watch a stack whose settings have been read, wherever its status is served. */
export interface RunStackOptions extends Pick<Ports, 'approvalWays' | 'approvingCommits'> {
  readonly parallelism: number;
  readonly poll?: boolean | undefined;
  /** Settings that flags decide, so that the stack file may change them. */
  readonly overridden: readonly RestartSetting[];
  /** Where others reach the status page of the stack; undefined: not known. */
  readonly url: string | undefined;
  /** What the stack remembers, and what commands ask of its watch. */
  readonly backend: Backend;
  readonly control: ControlRequests;
  /** Receives every event of the watch. */
  readonly log: Ports['log'];
  readonly reporting: Pick<StackReporting, 'metrics' | 'publish'>;
  /** Waits until a reconciliation may begin; by default none waits. */
  readonly takeTurn?: Ports['takeTurn'];
  /** Receives the status after each change of it. */
  readonly onStatus?: (status: WatchStatus) => void;
}

// A standby takes over if the leader has sent no heartbeat for this long.
const LEASE_DURATION_MS = 15_000;

/** Reads the settings of a stack that is to be watched; throws if it cannot be. */
export async function readWatchedStack(context: StackContext): Promise<StackConfig> {
  const open = await readStackConfig(context);
  if (open.untrusted.length > 0) throw new InvalidInput(open.untrusted);
  await requireDurableState(open);
  return open;
}

/** Reconciles the account with the manifests of a directory until the signal of the context aborts. */
export async function runStack(context: StackContext, open: StackConfig, options: RunStackOptions): Promise<void> {
  const { io } = context;
  const { settings } = open;
  const { parallelism, poll, log, reporting, backend, control, onStatus } = options;
  const { metrics } = reporting;
  if (!isShared(open)) await requireUncommittedState(context, open.dir, backend);
  const atStart = { settings, overridden: new Set(options.overridden), targets: settingTargets(open, context) };
  const now = io.now ?? Date.now;
  const clock = io.clock ?? wallClock;
  const quiet: StackContext = {
    ...context,
    log: (level, text) => log(level, 'note', text),
    io: { ...io, terminal: { err: false } },
  };
  let held: Lock | undefined;
  let socket: ControlSocket | undefined;
  let whyNoSocket: string | undefined;
  let latest: WatchStatus | undefined;
  const openSocket = async (): Promise<void> => {
    const { socketPath } = backend;
    if (socketPath === undefined || (await socket?.isInPlace()) === true) return;
    const former = socket;
    try {
      socket = await listenOnSocket({
        path: socketPath,
        requests: control,
        status: () => latest && { ...latest, now: now() },
        isActive: () => latest?.role === 'leader' || latest?.role === 'paused',
        onError: (error) => log('warn', 'socket', failureDetails(error).message),
      });
      whyNoSocket = undefined;
    } catch (error) {
      socket = undefined;
      const reason = systemReason(error);
      const text = `cannot listen on ${socketPath}: ${reason}; pauses and approvals take effect only at the next poll`;
      const hint = `set ${socketVariable} to a shorter path in a directory that is writable`;
      if (reason !== whyNoSocket) log('warn', 'socket', text, { hint });
      whyNoSocket = reason;
    } finally {
      await former?.close();
    }
  };
  const source = watchSource({
    dir: open.dir,
    inputs: (root) => allowedInputs(root, open, context),
    debounceMs: milliseconds(settings.watch.debounce),
    scanMs: milliseconds(settings.watch.scan_interval),
    poll: poll ?? settings.watch.poll,
    clock,
    log: (level, text) => log(level, 'files', text),
    env: io.env,
  });
  const documents = keptDocuments();
  let former: LoadedManifests | undefined;
  const ports: Ports = {
    stack: settings.stack,
    dir: open.dir,
    url: options.url,
    version: context.version,
    approvalWays: options.approvalWays,
    approvingCommits: options.approvingCommits,
    source,
    read: async (root, isUnchanged) => {
      const known = isUnchanged ? former : undefined;
      const options = { parallelism, atStart, documents, lock: () => held, backend, metrics };
      const { manifests, ...loaded } = await loadStack(quiet, root, { ...options, ...present({ known }) });
      former = manifests;
      return loaded;
    },
    acquireLock: async (signal, onWait, onHeartbeat) => {
      held = await backend.acquireLock(watchHolder, {
        patience: Number.POSITIVE_INFINITY,
        leaseMs: LEASE_DURATION_MS,
        lapses: true,
        signal,
        onWait,
        onHeartbeat,
      });
      return held;
    },
    documents: { requests: backend.document('watch-requests'), state: backend.document('watch-state') },
    control,
    openSocket,
    takeTurn: options.takeTurn ?? (() => Promise.resolve(() => undefined)),
    clock,
    now,
    publish: (status) => {
      latest = status;
      reporting.publish(status);
      onStatus?.(status);
    },
    log,
  };
  log('info', 'started', `watching ${open.dir} for the stack ${settings.stack.name}`, { version: context.version });
  try {
    await watch(ports, io.signal);
  } finally {
    await socket?.close();
    source.close();
  }
  log('info', 'ended', 'stopped');
}
