import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StateError } from '../../diagnostics/errors.ts';

/**
 * Insists that the watch of a stack can read a new file, judged by the owner of the file that it keeps itself. A directory
 * that everybody may write in has no owner to give files to (decisions/0024): there a file belongs to who writes it.
 */
export async function mustBeReadableForWatch(written: string, watchState: string): Promise<void> {
  const watch = await stat(watchState).catch(() => undefined);
  if (watch === undefined) return;
  const file = await stat(written);
  const isOfGroup = file.gid === watch.gid && (file.mode & 0o040) !== 0;
  if (watch.uid === 0 || watch.uid === file.uid || isOfGroup) return;
  const directory = dirname(watchState);
  throw new StateError(
    'OPERATOR_REQUESTS_UNREADABLE',
    `sluice watch runs with user id ${watch.uid} and could not read a file of user id ${file.uid} in ${directory}; nothing was changed`,
    {
      hint: `run the command as user id ${watch.uid}, or remove the write permission of all other users from ${directory} (keep owner and group)`,
    },
  );
}
