import type { Code } from './codes.ts';
import { runFailures } from './run-failures.ts';
import { stateFailures } from './state-failures.ts';

/** Every code of an error that ends a command, or of what failed within one. Codes are stable: they are part of the users' contract. */
export const failures = { ...runFailures, ...stateFailures };

/** The code that an error carries: of a failure, or of the diagnostic that it reports. */
export type ErrorCode = keyof typeof failures | Code;
