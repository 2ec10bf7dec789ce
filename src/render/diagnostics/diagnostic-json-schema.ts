import * as z from 'zod';
import { severities } from '../../diagnostics/diagnostic.ts';

const text = z.string();

/** The shape of a place in the manifests. */
export const placeJsonSchema = z.strictObject({ file: text, line: z.int(), column: z.int() }).meta({ id: 'place' });

/** A place as JSON documents carry it. */
export type PlaceJson = z.infer<typeof placeJsonSchema>;

/** The shape of a diagnostic in the documents that list some. */
export const diagnosticJsonSchema = z.strictObject({
  code: text,
  severity: z.enum(severities),
  message: text,
  hint: text.optional(),
  source: placeJsonSchema.optional(),
  address: text.optional(),
  related: z.array(z.strictObject({ message: text, source: placeJsonSchema })).optional(),
});

/** A diagnostic as JSON documents carry it. */
export type DiagnosticJson = z.infer<typeof diagnosticJsonSchema>;
