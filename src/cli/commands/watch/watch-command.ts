import { logJson, logText } from '../../../render/status/watch-log.ts';
import { runWatch, type RunWatchOptions } from '../../../watch/run-watch.ts';
import type { PageApprovalFlags } from '../../../watch/page-approvals.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { namedDirectory } from '../../usage/named-directory.ts';

/** Flags of watch, in addition to the settings in `sluice.yaml`. */
export type WatchFlags = Pick<RunWatchOptions, 'parallelism' | 'poll' | 'listen' | 'listenProbes' | 'url'> &
  PageApprovalFlags;

/** Reconciles the account with the manifests of a directory until it is stopped, and logs what happens. */
export async function watchCommand(given: Context, dir: string | undefined, flags: WatchFlags): Promise<number> {
  const io = { ...given.io, cwd: namedDirectory(given.io) };
  const context: Context = { ...given, io, ...(dir === undefined ? {} : { dir }) };
  const { carryThrough = (work) => work(), now = Date.now } = io;
  const line = io.terminal.err ? logText : logJson;
  const log: RunWatchOptions['log'] = (level, event, message, fields) => {
    if (context.logs(level))
      io.err(line({ time: now(), level, event, message, ...(fields === undefined ? {} : { fields }) }));
  };
  await carryThrough(() => runWatch(context, { ...flags, log }));
  return exitCodes.interrupted;
}
