/** How much is logged beside the result, from least to most. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** One of those. */
export type LogLevel = (typeof logLevels)[number];

/** The fields of a log line besides its message: names in snake_case, values without secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
