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

/** How long a watch is to pause. */
export interface PauseFlags {
  /** Seconds from now. */
  readonly for?: number;
  /** A moment, RFC 3339. */
  readonly until?: string;
  readonly reason?: string;
}

const HOUR = 3600;

/** Asks the watch of a stack to do nothing until a time; it gives the lock back meanwhile. */
export async function pause(context: Context, flags: PauseFlags): Promise<number> {
  const { path, wishes, now } = await open(context);
  const until = flags.until === undefined ? now + (flags.for ?? HOUR) * 1000 : Date.parse(flags.until);
  if (!(until > now)) throw new UsageError('--until must be a moment to come, such as 2030-01-31T18:00:00Z');
  const { reason } = flags;
  const next = { until, by: who(), ...(reason === undefined ? {} : { reason: safeText(reason, 200) }) };
  await writeOperatorRequests(path, { ...wishes, pause: next }, now);
  const text = new Date(until).toISOString();
  context.result(
    () => `Paused until ${text}. \`sluice resume\` ends it before.\n`,
    () => ({ format_version: '1.0', paused_until: text }),
  );
  return exitCodes.done;
}

/** Ends a pause. */
export async function resume(context: Context): Promise<number> {
  const { path, wishes, now } = await open(context);
  const { pause: before, ...rest } = wishes;
  await writeOperatorRequests(path, rest, now);
  context.result(
    () => (before !== undefined && before.until > now ? 'Resumed.\n' : 'There was no pause.\n'),
    () => ({ format_version: '1.0', paused_until: null }),
  );
  return exitCodes.done;
}

/** Approves what a watch waits for, by the digest that it shows. */
export async function approve(context: Context, digest: string): Promise<number> {
  if (!digestPattern.test(digest))
    throw new UsageError(
      'what is approved is named by its digest, sha256: and 64 hexadecimal digits',
      'the status page of `sluice watch` shows it, and so does its log',
    );
  const { path, memory, wishes, now } = await open(context);
  const { approve: waiting } = readWatchState(memory);
  if (waiting === undefined)
    throw new Refused('NO_PENDING_APPROVAL', 'no watch of this stack waits for approval', {
      hint: 'it may have gone on, or a newer revision asks for something else: look at its status page',
    });
  if (waiting !== digest)
    throw new Stale(
      'PENDING_CHANGES_DIFFER',
      'other changes wait by now than those with this digest; nothing was approved',
      `look at them on the status page, then \`sluice approve ${waiting}\``,
      [],
    );
  const approvals = wishes.approvals.filter((one) => one.digest !== digest);
  await writeOperatorRequests(path, { ...wishes, approvals: [...approvals, { digest, by: who(), at: now }] }, now);
  context.result(
    () => 'Approved: the watch makes these changes at its next look, if they still are the same.\n',
    () => ({ format_version: '1.0', approved: digest }),
  );
  return exitCodes.done;
}

interface Opened {
  readonly path: string;
  readonly memory: string;
  readonly wishes: OperatorRequests;
  readonly now: number;
}

async function open(context: Context): Promise<Opened> {
  const { dir, settings } = await readStackConfig(context);
  const statePath = resolve(dir, settings.state.path);
  const path = operatorRequestsPath(statePath);
  return { path, memory: watchStatePath(statePath), wishes: readable(path), now: (context.io.now ?? Date.now)() };
}

/** Wishes that nobody can read are replaced by the one that is uttered now. */
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
