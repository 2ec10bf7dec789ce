import { resolve } from 'node:path';
import { wallClock } from '../api/clock.ts';
import { InvalidInput } from '../diagnostics/errors.ts';
import { keptDocuments } from '../manifest/read/kept-documents.ts';
import { readStackFile, stackFileName } from '../manifest/stack-file/stack-file.ts';
import type { Lock } from '../state/lock.ts';
import { watch } from './loop.ts';
import type { WatchRole, WatchStatus } from '../model/watch-status.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { recordApproval } from './operator-requests.ts';
import { pageApprovals, type PageApprovalFlags } from './page-approvals.ts';
import type { Ports } from './ports.ts';
import { watchSource } from './source/watch-source.ts';
import { openBackend, socketVariable } from '../stack/open-backend.ts';
import { UsageError } from '../stack/usage-error.ts';
import { systemReason } from '../diagnostics/system-reason.ts';
import { statusJson } from '../render/status/status-json.ts';
import { jsonText } from '../render/text/json-text.ts';
import { controlRequests } from './control/control-requests.ts';
import { listenOnSocket, type ControlSocket } from './control/control-socket.ts';
import { readStackConfig } from '../stack/settings/stack-config.ts';
import { shownByWatch } from './shown-by-watch.ts';
import { settingTargets, type RestartSetting } from './restart-settings.ts';
import { startStatusReporting } from './status-reporting.ts';
import { milliseconds, loadStack } from './load-stack.ts';
import { requireDurableState } from './require-durable-state.ts';
import { watchHolder } from '../state/lock-hint.ts';

/** How to watch a stack, in addition to the settings in `sluice.yaml`. */
export interface RunWatchOptions extends PageApprovalFlags {
  readonly parallelism: number;
  readonly poll?: boolean;
  /** `host:port`; false to serve nothing. */
  readonly listen?: string | false;
  /** `host:port` of a listener for probes alone; false: none. */
  readonly listenProbes?: string | false;
  /** Where others reach the status page; a standby links to it. By default the address it listens on, unless that is all of them. */
  readonly url?: string;
  /** Receives every event of the watch. */
  readonly log: Ports['log'];
  /** Receives the status after each change of it. */
  readonly onStatus?: (status: WatchStatus) => void;
}

// A standby takes over if the leader has sent no heartbeat for this long.
const LEASE_DURATION_MS = 15_000;

/** Reconciles the account with the manifests of a directory until the signal of the context aborts. */
export async function runWatch(given: StackContext, options: RunWatchOptions): Promise<void> {
  const context: StackContext = { ...given, isUnattended: true };
  const { io } = context;
  const { parallelism, poll, listen, listenProbes, onStatus } = options;
  const open = await readStackConfig(context);
  if (open.untrusted.length > 0) throw new InvalidInput(open.untrusted);
  await requireDurableState(open);
  const { settings } = open;
  // Of several stacks in one log, each line says which it is about.
  const log: Ports['log'] = (level, event, message, fields) =>
    options.log(level, event, message, { stack: settings.stack.name, ...fields });
  const overridden = new Set<RestartSetting>([
    ...(listen === undefined ? [] : ['watch.listen' as const]),
    ...(listenProbes === undefined ? [] : ['watch.listen_probes' as const]),
    ...(poll === undefined ? [] : ['watch.poll' as const]),
  ]);
  const atStart = { settings, overridden, targets: settingTargets(open, context) };
  const now = io.now ?? Date.now;
  const clock = io.clock ?? wallClock;
  const quiet: StackContext = {
    ...context,
    log: (level, text) => log(level, 'note', text),
    io: { ...io, terminal: { err: false } },
  };
  const onPage = pageApprovals(options, { cwd: io.cwd, dir: open.dir });
  if (onPage !== undefined && (listen ?? settings.watch.listen) === false)
    throw new UsageError('--approval-token-file requires the status page', 'omit --no-listen');
  const backend = await openBackend(context, open);
  const control = controlRequests();
  const requests = backend.document('watch-requests');
  let held: Lock | undefined;
  const reporting = await startStatusReporting({
    open,
    io,
    listen: listen ?? settings.watch.listen,
    listenProbes: listenProbes ?? settings.watch.listen_probes,
    approvals: onPage && {
      ...onPage,
      record: async (approval) => {
        await recordApproval(requests, approval);
        control.wake();
      },
    },
    url: options.url,
    clock,
    now,
    log,
  });
  let socket: ControlSocket | undefined;
  let role: WatchRole = 'standby';
  const openSocket = async (): Promise<void> => {
    const { socketPath } = backend;
    if (socketPath === undefined) return;
    await socket?.close();
    try {
      socket = await listenOnSocket({
        path: socketPath,
        requests: control,
        json: (status) => jsonText(statusJson(status)),
        isActive: () => role === 'leader' || role === 'paused',
        onError: (error) => log('warn', 'socket', error instanceof Error ? error.message : 'a request failed'),
      });
    } catch (error) {
      socket = undefined;
      log(
        'warn',
        'socket',
        `commands are read at the next poll: cannot listen on ${socketPath}: ${systemReason(error)}`,
        {
          hint: `set ${socketVariable} to a shorter path in a directory that is writable`,
        },
      );
    }
  };
  const source = watchSource({
    dir: open.dir,
    inputs: (root) => inputsOf(root, settings.manifests),
    debounceMs: milliseconds(settings.watch.debounce),
    scanMs: milliseconds(settings.watch.scan_interval),
    poll: poll ?? settings.watch.poll,
    clock,
    log: (level, text) => log(level, 'files', text),
    env: io.env,
  });
  const documents = keptDocuments();
  const ports: Ports = {
    stack: settings.stack,
    url: options.url ?? reporting.url,
    version: context.version,
    approvalWays: onPage === undefined ? [] : ['page'],
    source,
    read: (root) =>
      loadStack(quiet, root, {
        parallelism,
        atStart,
        documents,
        lock: () => held,
        backend,
        onRequest: reporting.metrics.onRequest,
        onRetry: ({ ms }) => reporting.metrics.onRetry(ms),
      }),
    acquireLock: async (signal, onWait) => {
      held = await backend.acquireLock(watchHolder, {
        patience: Number.POSITIVE_INFINITY,
        leaseMs: LEASE_DURATION_MS,
        lapses: true,
        signal,
        onWait,
      });
      return held;
    },
    documents: { requests, state: backend.document('watch-state') },
    control,
    openSocket,
    clock,
    now,
    publish: (status) => {
      role = status.role;
      reporting.publish(status);
      onStatus?.(status);
    },
    log,
    show: shownByWatch,
  };
  log('info', 'started', `watching ${open.dir} for the stack ${settings.stack.name}`, { version: context.version });
  try {
    await watch(ports, io.signal);
  } finally {
    await reporting.close();
    await socket?.close();
    await source.close();
    await backend.close();
  }
  log('info', 'ended', 'stopped');
}

/** The manifest paths of `sluice.yaml`, which can change; if it cannot be read, the previous ones are kept. */
function inputsOf(dir: string, before: readonly string[]): readonly string[] {
  const { file } = readStackFile(resolve(dir, stackFileName));
  return file?.settings.manifests ?? before;
}
