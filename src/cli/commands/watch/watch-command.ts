import { resolve } from 'node:path';
import { wallClock } from '../../../api/clock.ts';
import { InvalidInput } from '../../../diagnostics/errors.ts';
import { keptDocuments } from '../../../manifest/read/kept-documents.ts';
import { readStackFile, stackFileName } from '../../../manifest/stack-file/stack-file.ts';
import { kinds } from '../../../kinds/index.ts';
import { fieldAt } from '../../../derive/field-at.ts';
import { fieldValueText } from '../../../render/values/field-value.ts';
import { logJson, logText } from '../../../render/status/watch-log.ts';
import { plain } from '../../../render/text/palette.ts';
import { planText } from '../../../render/plan/plan-text.ts';
import type { Lock } from '../../../state/lock.ts';
import { watch } from '../../../watch/loop.ts';
import type { Ports } from '../../../watch/ports.ts';
import { watchSource } from '../../../watch/source/watch-source.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { namedDirectory } from '../../named-directory.ts';
import { openBackend } from '../../../stack/open-backend.ts';
import { readStackConfig } from '../../../stack/stack-config.ts';
import { settingTargets, type RestartSetting } from '../../../watch/restart-settings.ts';
import { startStatusReporting } from '../../../watch/status-reporting.ts';
import { milliseconds, loadStack } from '../../../watch/load-stack.ts';
import { requireDurableState } from '../../../watch/require-durable-state.ts';

/** Flags of watch, in addition to the settings in `sluice.yaml`. */
export interface WatchFlags {
  readonly parallelism: number;
  readonly poll?: boolean;
  /** `host:port`; false to serve nothing. */
  readonly listen?: string | false;
}

// A standby takes over if the leader has sent no heartbeat for this long.
const LEASE_DURATION_MS = 15_000;

/** Reconciles the account with the manifests of a directory until it is stopped. */
export async function watchStack(given: Context, dir: string | undefined, flags: WatchFlags): Promise<number> {
  const io = { ...given.io, cwd: namedDirectory(given.io) };
  const context: Context = { ...given, io, ...(dir === undefined ? {} : { dir }) };
  const open = await readStackConfig(context);
  if (open.untrusted.length > 0) throw new InvalidInput(open.untrusted);
  await requireDurableState(open);
  const { settings } = open;
  const overridden = new Set<RestartSetting>([
    ...(flags.listen === undefined ? [] : ['watch.listen' as const]),
    ...(flags.poll === undefined ? [] : ['watch.poll' as const]),
  ]);
  const began = { settings, overridden, targets: settingTargets(open, context) };
  const now = io.now ?? Date.now;
  const clock = io.clock ?? wallClock;
  const log = logOf(context, now);
  const quiet: Context = {
    ...context,
    log: (level, text) => log(level, 'note', text),
    io: { ...io, terminal: { ...io.terminal, err: false } },
  };
  const backend = await openBackend(open);
  let held: Lock | undefined;
  const reporting = await startStatusReporting({
    open,
    io,
    listen: flags.listen ?? settings.watch.listen,
    clock,
    now,
    log,
  });
  const source = watchSource({
    dir: open.dir,
    inputs: (root) => inputsOf(root, settings.manifests),
    debounceMs: milliseconds(settings.watch.debounce),
    scanMs: milliseconds(settings.watch.scan_interval),
    poll: flags.poll ?? settings.watch.poll,
    clock,
    log: (level, text) => log(level, 'files', text),
    env: io.env,
  });
  const documents = keptDocuments();
  const ports: Ports = {
    stack: settings.stack,
    version: context.version,
    source,
    read: (root) =>
      loadStack(quiet, root, {
        parallelism: flags.parallelism,
        began,
        documents,
        lock: () => held,
        backend,
        onRequest: reporting.metrics.onRequest,
        onWait: ({ ms }) => reporting.metrics.onWait(ms),
      }),
    acquireLock: async (signal, onWait) => {
      held = await backend.acquireLock('sluice watch', {
        patience: Number.POSITIVE_INFINITY,
        leaseMs: LEASE_DURATION_MS,
        lapses: true,
        signal,
        onWait,
      });
      return held;
    },
    documents: { requests: backend.document('watch-requests'), state: backend.document('watch-state') },
    clock,
    now,
    publish: reporting.publish,
    log,
    show: {
      plan: (plan) => planText(plan, { kinds, palette: plain }).slice(0, 65_536),
      field: ({ path, before, after }, kind) => {
        const field = fieldAt(kinds.named(kind)?.fields ?? {}, path);
        return { before: fieldValueText(before, field), after: fieldValueText(after, field) };
      },
    },
  };
  log('info', 'began', `watching ${open.dir} for the stack ${settings.stack.name}`, { version: context.version });
  const carryThrough = io.carryThrough ?? ((work) => work());
  try {
    await carryThrough(() => watch(ports, io.signal));
  } finally {
    await reporting.close();
    await source.close();
    await backend.close();
  }
  log('info', 'ended', 'stopped');
  return exitCodes.interrupted;
}

function logOf({ io, logs }: Context, now: () => number): Ports['log'] {
  const line = io.terminal.err ? logText : logJson;
  return (level, event, message, fields) => {
    if (logs(level)) io.err(line({ time: now(), level, event, message, ...(fields === undefined ? {} : { fields }) }));
  };
}

/** The manifest paths of `sluice.yaml`, which can change; if it cannot be read, the previous ones are kept. */
function inputsOf(dir: string, before: readonly string[]): readonly string[] {
  const { file } = readStackFile(resolve(dir, stackFileName));
  return file?.settings.manifests ?? before;
}
