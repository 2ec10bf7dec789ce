import type { Format } from './format.ts';

/** Text for people. */
export const textFormat: Format = { isInteractive: true, result: (shown) => shown() };
