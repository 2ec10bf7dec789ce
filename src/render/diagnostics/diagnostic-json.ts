import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticJson, PlaceJson } from './diagnostic-json-schema.ts';
import { present } from '../../model/present.ts';
import { InvalidInput, SluiceError, Stale } from '../../diagnostics/errors.ts';

/** A diagnostic without the excerpt, which is for people. */
export function diagnosticJson(diagnostic: Diagnostic): DiagnosticJson {
  const { code, severity, message, hint, place, address, related } = diagnostic;
  return present({
    code,
    severity,
    message,
    hint,
    source: place && placeJson(place),
    address,
    related: related?.map((other) => ({ message: other.message, source: placeJson(other.place) })),
  });
}

/** The place of a diagnostic or a resource, without the excerpt. */
export function placeJson({ file, line, col }: SourceLocation): PlaceJson {
  return { file, line, column: col };
}

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
