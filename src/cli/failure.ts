import { InvalidInput } from '../diagnostics/errors.ts';
import { diagnosticJson } from '../render/diagnostic-json.ts';
import { errorJson, errorText } from '../render/error-text.ts';
import { jsonText } from '../render/json-text.ts';
import type { Context } from './context.ts';
import { exitCodeOf } from './exit-code.ts';

/** Tells what ended a command, and answers its exit code. */
export async function tellFailure(error: unknown, context: Context): Promise<number> {
  const { io, json, errPalette, logs } = context;
  if (error instanceof InvalidInput) {
    const { diagnosticsText } = await import('../render/diagnostics.ts');
    io.err(diagnosticsText(error.diagnostics));
  } else {
    io.err(errorText(error, errPalette, logs('debug')));
  }
  if (json) io.out(failureDocument(error));
  return exitCodeOf(error);
}

/** What ended a command, as the one JSON document on standard output. */
export function failureDocument(error: unknown): string {
  return jsonText({
    format_version: '1.0',
    error: errorJson(error),
    diagnostics: error instanceof InvalidInput ? error.diagnostics.map(diagnosticJson) : [],
  });
}
