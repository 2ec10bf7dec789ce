import { SluiceError } from './errors.ts';
import { safeText } from './safe-text.ts';

/** Why the operating system refused something: in words with its own code, such as `permission denied (EACCES)`, else the words of the error. */
export function systemReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = refusals.get(code ?? '');
  return known === undefined ? (code ?? message) : `${known.words} (${code ?? ''})`;
}

/** What to do where a file cannot be written; undefined where the system gives no reason that is known. */
export function writeHint(error: unknown): string | undefined {
  return refusals.get((error as NodeJS.ErrnoException).code ?? '')?.hint;
}

const full = 'free space on the disk that contains the path';
const forbidden = 'give the user that runs sluice permission to write to the path';
const noDirectory = 'use a path in an existing directory';

const refusals = new Map([
  ['ENOSPC', { words: 'no space left on the disk', hint: full }],
  ['EDQUOT', { words: 'the disk quota is used up', hint: full }],
  ['EACCES', { words: 'permission denied', hint: forbidden }],
  ['EPERM', { words: 'operation not permitted', hint: forbidden }],
  [
    'EROFS',
    {
      words: 'the file system is read-only',
      hint: 'mount the file system as writable, or use a path on another file system',
    },
  ],
  ['ENOENT', { words: 'no such file or directory', hint: noDirectory }],
  ['ENOTDIR', { words: 'a part of the path is not a directory', hint: noDirectory }],
  ['EISDIR', { words: 'the path is a directory', hint: 'rename the directory, or use another path' }],
  ['EIO', { words: 'disk I/O error', hint: 'check the disk for errors' }],
  ['EFBIG', { words: 'the file is too large', hint: 'raise the limit of file sizes (ulimit -f)' }],
  ['EMFILE', { words: 'too many open files', hint: 'raise the limit of open files (ulimit -n)' }],
]);

/** An error with a hint for what the operating system refused about a file; any other error is returned unchanged: it is a defect of sluice. */
export function systemFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof SluiceError) return error;
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const hint = writeHint(error);
  if (code === undefined || syscall === undefined || hint === undefined) return error;
  const what = path === undefined ? 'a file' : safeText(path, 300);
  return new SluiceError('FILE_NOT_ACCESSIBLE', `${what} cannot be read or written: ${systemReason(error)}`, {
    cause: error,
    hint: `${hint}, then run the command again`,
    hintInWatch: hint,
  });
}
