/** How much is told beside the result, from least to most. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** One of those. */
export type LogLevel = (typeof logLevels)[number];

/** What a log line says besides its message: names in snake_case, values without secrets. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;
