import { openBackend } from '../../../stack/open-backend.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';

/** Prints who has the lock of the state, since when and from where. */
export async function showLock(context: Context): Promise<number> {
  const backend = await openBackend(context, await readStackConfig(context));
  try {
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
  } finally {
    await backend.close();
  }
}
