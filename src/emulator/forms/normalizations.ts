/** The ways in which services rewrite what they were sent, with what each does. */
export const normalizations = {
  'final-newline': 'adds a line break to the end of certificates, XML and policies',
  trimmed: 'removes white space at the start and end of texts',
  'unix-newlines': 'converts line breaks to LF',
  json: 'parses JSON text and writes it again',
  pem: 'decodes certificates and encodes them again',
  xml: 'parses XML and writes it again',
  'lower-case': 'converts hostnames, header names and e-mail addresses to lower case',
  fractions: 'adds fractions of a second to times',
  offsets: 'writes +00:00 instead of Z in times',
  'single-precision': 'stores fractions as 32-bit floating-point numbers',
  'null-lists': 'returns empty lists and mappings as null',
  'no-nulls': 'omits unset fields',
} as const;

/** One of them. */
export type Normalization = keyof typeof normalizations;
