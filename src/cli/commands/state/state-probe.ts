import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withBackend } from '../../with-backend.ts';

/** Tests whether the store of the state can be used as a lock, and prints each step. */
export async function probeState(context: Context): Promise<number> {
  return withBackend(context, async (backend) => {
    if (backend.probe === undefined)
      throw new UsageError(
        'the state is in a file, not in a shared store',
        '`state probe` tests only shared stores: state.postgres or state.s3',
      );
    const steps = await backend.probe();
    const passed = steps.every(({ ok }) => ok);
    const lines = steps.map(({ step, ok }) => `${ok ? 'ok    ' : 'FAILED'}  ${step}\n`);
    const verdict = passed ? 'can be used for state and lock' : 'cannot be used for state and lock';
    context.result(
      () => `${lines.join('')}${backend.location} ${verdict}.\n`,
      () => ({ format_version: '1.0', location: backend.location, passed, steps }),
    );
    return passed ? exitCodes.done : exitCodes.invalid;
  });
}
