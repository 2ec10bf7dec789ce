import { realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { present } from '../../../model/present.ts';
import { logJson, logText } from '../../../render/status/watch-log.ts';
import { runWatch, type RunWatchOptions } from '../../../watch/run-watch.ts';
import type { WatchApprovalFlags } from '../../../watch/take-approvals.ts';
import type { Context } from '../../context.ts';
import { tuneForLongRun } from '../../v8-settings.ts';
import type { Io } from '../../io.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { exitCodes } from '../../exit-code.ts';

interface WatchFlags
  extends WatchApprovalFlags, Pick<RunWatchOptions, 'parallelism' | 'poll' | 'listen' | 'listenProbes' | 'url'> {
  readonly fleet?: string;
  readonly concurrency?: number;
  readonly replicas?: string;
}

const defaultFleet = { listen: '127.0.0.1:9470', listenProbes: false, concurrency: 4, searchMs: 10_000 } as const;

/** Reconciles the account with the manifests of a directory, or of every stack in it, until it is stopped, and logs what happens. */
export async function watchCommand(given: Context, dir: string | undefined, flags: WatchFlags): Promise<number> {
  const io = { ...given.io, cwd: namedDirectory(given.io) };
  const context: Context = { ...given, io, ...(dir === undefined ? {} : { dir }) };
  const { carryThrough = (work) => work(), now = Date.now } = io;
  const { fleet, concurrency, replicas, ...common } = flags;
  const ofFleet = concurrency === undefined ? replicas && '--replicas' : '--concurrency';
  if (fleet === undefined && ofFleet !== undefined)
    throw new UsageError(`${ofFleet} needs --fleet`, 'pass --fleet DIR to watch every stack of a directory');
  if (fleet !== undefined && context.dir !== undefined)
    throw new UsageError(
      '--fleet cannot be combined with the directory of one stack ([dir] or -C)',
      'pass only the directory of the fleet, with --fleet DIR',
    );
  const line = io.terminal.err ? logText : logJson;
  const log: RunWatchOptions['log'] = (level, event, message, fields) => {
    if (context.logs(level)) io.err(line(present({ time: now(), level, event, message, fields })));
  };
  tuneForLongRun();
  await carryThrough(async () => {
    if (fleet === undefined) return runWatch(context, { ...common, log });
    const { runFleet } = await import('../../../watch/fleet/run-fleet.ts');
    const options = { ...defaultFleet, ...common, ...present({ concurrency, replicas }), log };
    return runFleet(context, resolve(io.cwd, fleet), options);
  });
  return exitCodes.interrupted;
}

/** The working directory as the user named it: the process resolves symbolic links, PWD of the shell keeps them. */
export function namedDirectory({ cwd, env }: Pick<Io, 'cwd' | 'env'>): string {
  const named = env['PWD'] ?? '';
  try {
    return isAbsolute(named) && realpathSync(named) === realpathSync(cwd) ? named : cwd;
  } catch {
    return cwd;
  }
}
