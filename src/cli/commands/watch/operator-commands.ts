import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { Refused, Stale } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { readWatchState } from '../../../watch/watch-state.ts';
import {
  digestPattern,
  noOperatorRequests,
  readOperatorRequests,
  watchStatePath,
  operatorRequestsPath,
  writeOperatorRequests,
  type OperatorRequests,
} from '../../../watch/operator-requests.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { readStackConfig } from '../../../stack/stack-config.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** How long to pause a watch. */
export interface PauseFlags {
  /** Seconds from now. */
  readonly for?: number;
  /** A time, RFC 3339. */
  readonly until?: string;
  readonly reason?: string;
}

const HOUR = 3600;

/** Pauses the watch of a stack until a time; it releases the lock meanwhile. */
export async function pause(context: Context, flags: PauseFlags): Promise<number> {
  const { path, requests, now } = await open(context);
  const until = flags.until === undefined ? now + (flags.for ?? HOUR) * 1000 : Date.parse(flags.until);
  if (!(until > now)) throw new UsageError('--until must be a time in the future, such as 2030-01-31T18:00:00Z');
  const { reason } = flags;
  const next = { until, by: who(), ...(reason === undefined ? {} : { reason: safeText(reason, 200) }) };
  await writeOperatorRequests(path, { ...requests, pause: next }, now);
  const text = new Date(until).toISOString();
  context.result(
    () => `Paused until ${text}. Run \`sluice resume\` to end the pause earlier.\n`,
    () => ({ format_version: '1.0', paused_until: text }),
  );
  return exitCodes.done;
}

/** Ends a pause. */
export async function resume(context: Context): Promise<number> {
  const { path, requests, now } = await open(context);
  const { pause: before, ...rest } = requests;
  await writeOperatorRequests(path, rest, now);
  context.result(
    () => (before !== undefined && before.until > now ? 'Resumed.\n' : 'The watch is not paused.\n'),
    () => ({ format_version: '1.0', paused_until: null }),
  );
  return exitCodes.done;
}

/** Approves the pending changes of a watch by their digest. */
export async function approve(context: Context, digest: string): Promise<number> {
  if (!digestPattern.test(digest))
    throw new UsageError(
      'the digest must be sha256: and 64 hexadecimal digits',
      'copy it from the status page or the log of `sluice watch`',
    );
  const { path, memory, requests, now } = await open(context);
  const { approve: waiting } = readWatchState(memory);
  if (waiting === undefined)
    throw new Refused('NO_PENDING_APPROVAL', 'no watch of this stack has changes pending approval', {
      hint: 'check the status page: the changes may have been applied, or replaced by those of a newer revision',
    });
  if (waiting !== digest)
    throw new Stale(
      'PENDING_CHANGES_DIFFER',
      'the pending changes have a different digest; nothing was approved',
      `review them on the status page, then run \`sluice approve ${waiting}\``,
      [],
    );
  const approvals = requests.approvals.filter((one) => one.digest !== digest);
  await writeOperatorRequests(path, { ...requests, approvals: [...approvals, { digest, by: who(), at: now }] }, now);
  context.result(
    () => 'Approved. The watch applies these changes at its next refresh if they are still the same.\n',
    () => ({ format_version: '1.0', approved: digest }),
  );
  return exitCodes.done;
}

interface Opened {
  readonly path: string;
  readonly memory: string;
  readonly requests: OperatorRequests;
  readonly now: number;
}

async function open(context: Context): Promise<Opened> {
  const { dir, settings } = await readStackConfig(context);
  const statePath = resolve(dir, settings.state.path);
  const path = operatorRequestsPath(statePath);
  return { path, memory: watchStatePath(statePath), requests: readable(path), now: (context.io.now ?? Date.now)() };
}

/** Requests in a file that cannot be read are replaced by the new one. */
function readable(path: string): OperatorRequests {
  try {
    return readOperatorRequests(path);
  } catch {
    return noOperatorRequests;
  }
}

function who(): string {
  try {
    return safeText(userInfo().username, 80);
  } catch {
    return 'unknown';
  }
}
