import { statusJsonSchema } from '../../../render/status/status-json-schema.ts';
import type { Context } from '../../context.ts';
import { askRunning } from './ask-running.ts';
import { stackText } from './stack-text.ts';
import { exitCodeOfStatus } from './status-exit-code.ts';

/** Has the running watch of a stack reconcile now, and prints how that ended. */
export async function reconcileCommand(context: Context): Promise<number> {
  const status = statusJsonSchema.parse(JSON.parse(await askRunning(context, '/reconcile')));
  context.result(
    () => stackText(status),
    () => status,
  );
  return exitCodeOfStatus(status);
}
