import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { DiagnosticJson, PlaceJson } from './diagnostic-json-schema.ts';
import { present } from '../../model/present.ts';

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
