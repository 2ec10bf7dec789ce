import type { Diagnostic, Place } from '../diagnostics/diagnostic.ts';

/** A diagnostic as JSON documents carry it: without the excerpt, which is for people. */
export function diagnosticJson(diagnostic: Diagnostic): Readonly<Record<string, unknown>> {
  const { code, severity, message, hint, place, address, related } = diagnostic;
  return {
    code,
    severity,
    message,
    hint,
    source: place === undefined ? undefined : placeJson(place),
    address,
    related: related?.map((other) => ({ message: other.message, source: placeJson(other.place) })),
  };
}

/** A place as JSON documents carry it. */
export function placeJson({ file, line, col }: Place): Readonly<Record<string, unknown>> {
  return { file, line, column: col };
}
