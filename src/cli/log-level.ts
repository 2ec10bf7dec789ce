/** How much is told beside the result, from least to most. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;

/** One of those. */
export type LogLevel = (typeof logLevels)[number];
