import { InvalidInput } from '../diagnostics/errors.ts';
import { diagnosticJson } from '../render/diagnostics/diagnostic-json.ts';
import { errorJson, errorText } from '../render/diagnostics/error-text.ts';
import { jsonText } from '../render/text/json-text.ts';
import { platformOf } from './ci.ts';
import type { Context } from './context.ts';
import { exitCodeOf } from './exit-code.ts';
import type { Io } from './io.ts';
import { UsageError } from '../stack/usage-error.ts';

/** Reports the error that ended a command, and returns its exit code. */
export async function reportFailure(error: unknown, context: Context): Promise<number> {
  const { io, json, format, errPalette, logs } = context;
  if (error instanceof InvalidInput) {
    const { diagnosticsText } = await import('../render/diagnostics/diagnostics-text.ts');
    io.err(diagnosticsText(error.diagnostics));
  } else {
    io.err(errorText(error, errPalette, logs('debug')));
  }
  if (json)
    context.result(
      () => '',
      () => failureValue(error),
    );
  if (format === 'markdown') {
    const { failureMarkdown } = await import('../render/outcome/failure-markdown.ts');
    const text = failureMarkdown(error, platformOf(io.env));
    context.result(
      () => text,
      () => undefined,
    );
  }
  return exitCodeOf(error);
}

/** Returns the exit code for invalid arguments, and prints a JSON document if one was asked for. */
export function usageFailure(message: string, args: readonly string[], io: Io): number {
  const error = new UsageError(message);
  if (/--format[= ]json/.test(args.join(' '))) io.out(jsonText(failureValue(error)));
  return exitCodeOf(error);
}

function failureValue(error: unknown): unknown {
  return {
    format_version: '1.0',
    error: errorJson(error),
    diagnostics: error instanceof InvalidInput ? error.diagnostics.map(diagnosticJson) : [],
  };
}
