import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withStateHere } from '../../with-backend.ts';

/** Prints who has the lock of the state, since when and from where. */
export async function showLock(context: Context): Promise<number> {
  return withStateHere(context, async (backend) => {
    const found = await backend.lockHolder();
    const holder = found === undefined ? undefined : (found.text ?? 'an unknown process');
    context.result(
      () => lockText(holder, found?.hasEnded),
      () => ({
        format_version: '1.0',
        location: backend.location,
        locked: holder !== undefined,
        ...(holder === undefined ? {} : { holder }),
        ...(found?.hasEnded === undefined ? {} : { holder_has_ended: found.hasEnded }),
      }),
    );
    return exitCodes.done;
  });
}

function lockText(holder: string | undefined, hasEnded = false): string {
  if (holder === undefined) return 'The state is not locked.\n';
  return `The state is locked by ${holder}.\n${hasEnded ? 'That process has ended: the next run takes the lock over.\n' : ''}`;
}
