import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { parsedJson } from '../../../model/json-object.ts';
import { sluiceCommand } from '../../../render/status/sluice-command.ts';
import type { StatusJson } from '../../../render/status/status-json-schema.ts';
import type { Context } from '../../context.ts';
import { askRunning, statusIn, watchHere } from './ask-running.ts';
import { stackText } from './stack-text.ts';
import { exitCodeOfStatus } from './status-exit-code.ts';

/** Has the running watch of a stack reconcile now, and prints how that ended. */
export async function reconcileCommand(context: Context): Promise<number> {
  const status = statusIn(parsedJson(await askRunning(context, '/reconcile')), watchHere);
  if (status.pause !== undefined) throw pausedBy(status.pause, status.directory);
  context.result(
    () => stackText(status),
    () => status,
  );
  return exitCodeOfStatus(status);
}

/** What a paused watch answers is from before the pause. */
function pausedBy({ until, by, reason }: NonNullable<StatusJson['pause']>, dir: string | undefined): SluiceError {
  const who = by === undefined ? '' : ` by ${safeText(by, 100)}`;
  const how = until === undefined ? 'until `sluice resume` ends the pause' : `until ${until}`;
  const why = reason === undefined ? '' : ` (${safeText(reason, 200)})`;
  return new SluiceError(
    'WATCH_PAUSED',
    `the watch of this stack is paused${who} ${how}${why}, so it did not complete a reconciliation`,
    {
      hint: `to resume now, run \`${sluiceCommand(dir, ['resume'])}\`, then run the command again; \`${sluiceCommand(dir, ['status'])}\` shows the status from before the pause`,
    },
  );
}
