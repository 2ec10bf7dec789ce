import * as z from 'zod';
import { InvalidInput, SluiceError } from '../../diagnostics/errors.ts';
import type { Code } from '../../diagnostics/codes.ts';
import type { ErrorCode } from '../../diagnostics/failure-codes.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { present } from '../../model/present.ts';
import { diagnosticJsonSchema, type DiagnosticJson } from './diagnostic-json-schema.ts';

const text = z.string();

const failureJsonSchema = z.object({
  format_version: z.literal('1.0'),
  error: z.object({ code: text, message: text, hint: text.optional(), details: z.array(text).default([]) }),
  diagnostics: z.array(diagnosticJsonSchema),
});

/** The error of a document that a command printed with `--format json`; undefined for every other document. */
export function errorInJson(document: unknown): SluiceError | undefined {
  const read = failureJsonSchema.safeParse(document);
  if (!read.success) return undefined;
  const { error, diagnostics } = read.data;
  if (diagnostics.length > 0) return new InvalidInput(diagnostics.map(diagnosticOf));
  const { code, message, hint, details } = error;
  // As below.
  return new SluiceError(code as ErrorCode, message, present({ details, hint }));
}

function diagnosticOf({ code, source, related: _, ...facts }: DiagnosticJson): Diagnostic {
  const place = source && { file: source.file, line: source.line, col: source.column };
  // Another version may know other codes; they are only printed.
  return present({ ...facts, code: code as Code, place });
}
