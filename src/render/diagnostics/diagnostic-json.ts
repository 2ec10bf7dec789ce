import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';

/** A place as JSON documents carry it. */
export interface PlaceJson {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A diagnostic as JSON documents carry it; what is not known of it is undefined, and so left out of the text. */
export interface DiagnosticJson {
  readonly code: string;
  readonly severity: Diagnostic['severity'];
  readonly message: string;
  readonly hint: string | undefined;
  readonly source: PlaceJson | undefined;
  readonly address: string | undefined;
  readonly related: readonly { readonly message: string; readonly source: PlaceJson }[] | undefined;
}

/** A diagnostic without the excerpt, which is for people. */
export function diagnosticJson(diagnostic: Diagnostic): DiagnosticJson {
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

/** The place of a diagnostic or a resource, without the excerpt. */
export function placeJson({ file, line, col }: SourceLocation): PlaceJson {
  return { file, line, column: col };
}
