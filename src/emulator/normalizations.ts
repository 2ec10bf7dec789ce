/** The ways in which services rewrite what they were sent, with what each does. */
export const normalizations = {
  'final-newline': 'certificates, XML and policies end with a line break',
  trimmed: 'white space at the ends of texts is removed',
  'unix-newlines': 'line breaks are line feeds',
  json: 'JSON text is parsed and written again',
  pem: 'certificates are decoded and encoded again',
  xml: 'XML is parsed and written again',
  'lower-case': 'host names, header names and e-mail addresses are in lower case',
  fractions: 'times have fractions of a second',
  offsets: 'times end with +00:00',
  'single-precision': 'fractions are stored as 32-bit floating-point numbers',
  'null-lists': 'empty lists and mappings are null',
  'no-nulls': 'what is not set has no key',
} as const;

/** One of them. */
export type Normalization = keyof typeof normalizations;
