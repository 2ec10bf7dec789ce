import { SluiceError } from './errors.ts';
import { safeText } from './safe-text.ts';
import { systemReason, writeHint } from './system-reason.ts';

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
