import { StateError } from '../../diagnostics/errors.ts';

/** The error for a file beside the state that may be there, and that this user cannot read. */
export function unreadableFile(
  code: 'LOCK_UNREADABLE' | 'RUNS_UNREADABLE',
  path: string,
  { message }: { readonly message: string },
): StateError {
  return new StateError(code, `${path} ${message}`, {
    hint: 'correct the permissions of the file and its directory, or run the command as the user that owns them',
  });
}
