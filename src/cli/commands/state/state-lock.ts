import type { Context } from '../../context.ts';
import { doneWith } from '../../output/done-with.ts';
import { withStateHere } from '../../with-backend.ts';

/** Prints who has the lock of the state, since when and from where. */
export async function showLock(context: Context): Promise<number> {
  return withStateHere(context, async (backend) => {
    const found = await backend.lockHolder();
    const holder = found === undefined ? undefined : (found.text ?? 'an unknown process');
    return doneWith(context, lockText(holder, found?.hasEnded), { location: backend.location,
        locked: holder !== undefined,
        ...(holder === undefined ? {} : { holder }),
        ...(found?.hasEnded === undefined ? {} : { holder_has_ended: found.hasEnded }) });
  });
}

function lockText(holder: string | undefined, hasEnded = false): string {
  if (holder === undefined) return 'The state is not locked.\n';
  return `The state is locked by ${holder}.\n${hasEnded ? 'That process has ended: the next run takes the lock over.\n' : ''}`;
}
