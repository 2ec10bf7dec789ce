import { userInfo } from 'node:os';
import { Refused, Stale } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { openBackend } from '../../../stack/open-backend.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Backend } from '../../../state/backend.ts';
import { digestPattern, updateOperatorRequests, type OperatorRequests } from '../../../watch/operator-requests.ts';
import { readWatchState } from '../../../watch/watch-state.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';

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
  const now = (context.io.now ?? Date.now)();
  const until = flags.until === undefined ? now + (flags.for ?? HOUR) * 1000 : Date.parse(flags.until);
  if (!(until > now)) throw new UsageError('--until must be a time in the future, such as 2030-01-31T18:00:00Z');
  const { reason } = flags;
  const next = { until, by: who(), ...(reason === undefined ? {} : { reason: safeText(reason, 200) }) };
  await withBackend(context, (backend) =>
    updateOperatorRequests(backend.document('watch-requests'), (before) => ({ ...before, pause: next }), now),
  );
  const text = new Date(until).toISOString();
  context.result(
    () => `Paused until ${text}. Run \`sluice resume\` to end the pause earlier.\n`,
    () => ({ format_version: '1.0', paused_until: text }),
  );
  return exitCodes.done;
}

/** Ends a pause. */
export async function resume(context: Context): Promise<number> {
  const now = (context.io.now ?? Date.now)();
  let isPaused = false;
  await withBackend(context, (backend) =>
    updateOperatorRequests(
      backend.document('watch-requests'),
      ({ pause: before, ...rest }) => {
        isPaused = before !== undefined && before.until > now;
        return rest;
      },
      now,
    ),
  );
  context.result(
    () => (isPaused ? 'Resumed.\n' : 'The watch is not paused.\n'),
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
  await withBackend(context, (backend) => approveIn(backend, digest, (context.io.now ?? Date.now)()));
  context.result(
    () => 'Approved. The watch applies these changes at its next refresh if they are still the same.\n',
    () => ({ format_version: '1.0', approved: digest }),
  );
  return exitCodes.done;
}

async function approveIn(backend: Backend, digest: string, now: number): Promise<void> {
  const { approve: waiting } = await readWatchState(backend.document('watch-state'));
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
  const approval = { digest, by: who(), at: now };
  const approved = (before: OperatorRequests): OperatorRequests => ({
    ...before,
    approvals: [...before.approvals.filter((one) => one.digest !== digest), approval],
  });
  await updateOperatorRequests(backend.document('watch-requests'), approved, now);
}

async function withBackend(context: Context, work: (backend: Backend) => Promise<void>): Promise<void> {
  const backend = await openBackend(context, await readStackConfig(context));
  try {
    await work(backend);
  } finally {
    await backend.close();
  }
}

function who(): string {
  try {
    return safeText(userInfo().username, 80);
  } catch {
    return 'unknown';
  }
}
