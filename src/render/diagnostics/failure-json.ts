import { InvalidInput, SluiceError, Stale } from '../../diagnostics/errors.ts';
import { diagnosticJson } from './diagnostic-json.ts';

/** An error that ended a command, as a value for JSON. */
export function failureJson(error: unknown): Readonly<Record<string, unknown>> {
  return {
    format_version: '1.0',
    error: errorJson(error),
    diagnostics: error instanceof InvalidInput ? error.diagnostics.map(diagnosticJson) : [],
  };
}

function errorJson(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof SluiceError))
    return { code: 'INTERNAL_ERROR', message: error instanceof Error ? error.message : String(error) };
  const { code, message, hint, details } = error;
  const facts = { code, message, hint, ...(details.length === 0 ? {} : { details }) };
  return error instanceof Stale ? { ...facts, differences: error.differences } : facts;
}
