import { SluiceError } from '../diagnostics/errors.ts';
import { systemReason, writeHint } from '../diagnostics/system-reason.ts';
import type { FileChange } from '../model/plan/plan.ts';
import type { StepResult } from './schedule.ts';

/** Replaces the content of a file; the path is relative to the directory of the stack. */
export type WriteFile = (path: string, text: string) => Promise<void>;

/** Writes a file of the plan. If that fails, its change fails; never throws. */
export async function writePlannedFile(
  { path }: FileChange,
  text: string | undefined,
  write: WriteFile | undefined,
): Promise<StepResult> {
  try {
    if (text === undefined) throw new Error('the service returned no content for this file');
    if (write === undefined)
      throw new Error('this run cannot write the file: it was started without a function that writes files');
    await write(path, text);
    return { ending: 'done' };
  } catch (cause) {
    const hint = writeHint(cause);
    const error = new SluiceError('FILE_NOT_WRITTEN', `cannot write ${path}: ${systemReason(cause)}`, {
      cause,
      ...(hint === undefined ? {} : { hint }),
    });
    return { ending: 'failed', error };
  }
}
