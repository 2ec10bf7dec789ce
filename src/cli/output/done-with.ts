import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';

/** Prints a result that is cheap to render, as text for people or as facts in a document, and returns the exit code of success. */
export function doneWith({ result }: Pick<Context, 'result'>, text: string, facts: object): number {
  result(
    () => text,
    () => ({ format_version: '1.0', ...facts }),
  );
  return exitCodes.done;
}
