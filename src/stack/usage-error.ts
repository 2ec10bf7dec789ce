import { SluiceError } from '../diagnostics/errors.ts';

/** The command cannot be carried out as it was given, and what to do instead (exit 8). */
export class UsageError extends SluiceError {
  constructor(message: string, hint?: string) {
    super('USAGE', message, hint === undefined ? {} : { hint });
  }
}
