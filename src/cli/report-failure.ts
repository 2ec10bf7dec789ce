import { dirname, resolve } from 'node:path';
import { InvalidInput } from '../diagnostics/errors.ts';
import { systemFailure } from '../diagnostics/system-reason.ts';
import { errorText } from '../render/diagnostics/error-text.ts';
import { failureJson } from '../render/diagnostics/diagnostic-json.ts';
import { formats, isFormatName } from '../render/formats/formats.ts';
import { makeContext, type Context } from './context.ts';
import { exitCodeOf } from './exit-code.ts';
import type { Io } from './io.ts';
import { outputTarget } from './ci.ts';
import { findStackFile } from '../manifest/stack-file/stack-file.ts';
import { UsageError } from '../stack/usage-error.ts';

/** Reports the error that ended a command, and returns its exit code. */
export async function reportFailure(error: unknown, context: Context): Promise<number> {
  await printFailure(error, context);
  return failureResult(error, context);
}

/** Prints an error for people, on standard error. */
export async function printFailure(thrown: unknown, { io, errPalette, logs }: Context): Promise<void> {
  const error = systemFailure(thrown);
  if (error instanceof InvalidInput) {
    const { diagnosticsText } = await import('../render/diagnostics/diagnostics-text.ts');
    io.err(diagnosticsText(error.diagnostics));
  } else {
    io.err(errorText(error, errPalette, logs('debug')));
  }
}

/** Returns the exit code for invalid arguments, and prints them as a result in the format that was asked for. */
export async function usageFailure(
  message: string,
  hint: string | undefined,
  args: readonly string[],
  io: Io,
  version: string,
): Promise<number> {
  const [, name] = /(?:--format[= ]|(?:\s-o|--output)[= ]?(?=json\b))(\w+)/.exec(args.join(' ')) ?? [];
  const format = isFormatName(name) ? await formats[name]() : undefined;
  return failureResult(
    new UsageError(message, hint),
    makeContext(io, version, { color: false, logLevel: 'info' }, format),
  );
}

function stackDirectory(context: Context): string | undefined {
  const file = findStackFile(resolve(context.io.cwd, context.dir ?? '.'));
  return file === undefined ? undefined : dirname(file);
}

/** The failure as the result, in formats that are not for people: those have it on standard error. */
function failureResult(thrown: unknown, context: Context): number {
  const error = systemFailure(thrown);
  context.result(
    () => '',
    () => failureJson(error),
    (format) => format.failure?.(error, outputTarget(context, {}, stackDirectory(context))),
  );
  return exitCodeOf(error);
}
