import { systemFailure } from '../diagnostics/system-reason.ts';
import { exitCodeOf, exitCodeOfAll } from './exit-code.ts';
import type { Context } from './context.ts';

/** Works, then closes. What cannot be closed is reported beside the result or error of the work, which stay. */
export async function closeAfter<Result>(
  context: Context,
  close: () => Promise<void>,
  work: () => Promise<Result>,
  unclosed: (result: Result, error: unknown) => Result = (result) => result,
): Promise<Result> {
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await close().catch((other: unknown) => reported(context, other));
    throw error;
  }
  try {
    await close();
    return result;
  } catch (error) {
    await reported(context, error);
    return unclosed(result, error);
  }
}

/** The exit code of a command that ended with another, and then could not close what it had opened. */
export function unclosedCode(code: number, error: unknown): number {
  return exitCodeOfAll([code, exitCodeOf(systemFailure(error))], false);
}

async function reported(context: Context, error: unknown): Promise<void> {
  const { printFailure } = await import('./report-failure.ts');
  await printFailure(error, context);
}
