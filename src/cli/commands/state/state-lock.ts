import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withBackend } from '../../with-backend.ts';

/** Prints who has the lock of the state, since when and from where. */
export async function showLock(context: Context): Promise<number> {
  return withBackend(context, async (backend) => {
    const found = await backend.lockHolder();
    const holder = found === undefined ? undefined : (found.text ?? 'an unknown process');
    context.result(
      () => (holder === undefined ? 'The state is not locked.\n' : `The state is locked by ${holder}.\n`),
      () => ({
        format_version: '1.0',
        location: backend.location,
        locked: holder !== undefined,
        ...(holder === undefined ? {} : { holder }),
      }),
    );
    return exitCodes.done;
  });
}
