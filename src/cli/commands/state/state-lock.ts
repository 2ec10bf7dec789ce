import { safeText } from '../../../diagnostics/safe-text.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { declined } from '../../approval/approval.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withBackend, withStateHere } from '../../with-backend.ts';

/** Prints who has the lock of the state, since when and from where. */
export async function showLock(context: Context): Promise<number> {
  return withStateHere(context, async (backend) => {
    const found = await backend.lockHolder();
    const holder = found === undefined ? undefined : (found.text ?? 'an unknown process');
    const facts = {
      location: backend.location,
      locked: holder !== undefined,
      holder,
      holder_has_ended: found?.hasEnded,
    };
    return context.done(lockText(holder, found?.hasEnded), facts);
  });
}

function lockText(holder: string | undefined, hasEnded = false): string {
  if (holder === undefined) return 'The state is not locked.\n';
  return `The state is locked by ${holder}.\n${hasEnded ? 'That process has ended: the next run takes the lock over.\n' : ''}`;
}

interface UnlockFlags {
  readonly autoApprove?: boolean;
  readonly now?: boolean;
}

/** Releases the lock of a run that no longer exists. If that run is still active, it stops before its next request. */
export async function unlockState(context: Context, flags: UnlockFlags): Promise<number> {
  const { autoApprove, now = false } = flags;
  return withBackend(context, async (backend) => {
    const found = await backend.lockHolder();
    if (found === undefined) return context.done('The state is not locked.\n', { unlocked: false });
    const holder =
      found.text ??
      `an unknown process (${safeText(backend.location)}: its lock was written by another version of sluice)`;
    if (autoApprove !== true && !context.canAsk)
      throw new UsageError(
        `the state is locked by ${holder}, but there is no terminal to ask for confirmation`,
        'make sure that the run that holds the lock no longer exists, then pass --auto-approve',
      );
    const question = `The state is locked by ${holder}.\nAre you sure that this run no longer exists?`;
    const code = await declined(context, flags, question, 'Not confirmed. The lock was not released.');
    if (code !== undefined) return code;
    if (!now && backend.writeDeadlineMs !== undefined)
      context.log('info', 'waiting until the other run can no longer write; --now skips the wait');
    await found.release({ now });
    return context.done(`Unlocked. The lock was held by ${holder}.\n`, { unlocked: true, holder });
  });
}

/** Tests whether the store of the state can be used as a lock, and prints each step. */
export async function probeState(context: Context): Promise<number> {
  return withBackend(context, async (backend) => {
    const { location } = backend;
    if (backend.probe === undefined)
      throw new UsageError(
        'the state is in a file, not in a shared store',
        '`state probe` tests only shared stores: state.postgres or state.s3',
      );
    const steps = await backend.probe();
    const passed = steps.every(({ ok }) => ok);
    const lines = steps.map(({ step, ok }) => `${ok ? 'ok    ' : 'FAILED'}  ${step}\n`);
    const text = `${lines.join('')}${passed ? `${location} can be used for state and lock` : `${location} cannot be used for state and lock`}.\n`;
    const code = context.done(text, { location, passed, steps });
    return passed ? code : exitCodes.invalid;
  });
}
