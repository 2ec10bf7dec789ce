import { systemReason, writeHint } from '../../diagnostics/system-reason.ts';
import { UsageError } from '../usage-error.ts';

/** Writes a file named by the user; a failure is a usage error. */
export async function writeOutputFile<Written>(name: string, write: () => Promise<Written>): Promise<Written> {
  try {
    return await write();
  } catch (error) {
    throw new UsageError(`${name} cannot be written: ${systemReason(error)}`, writeHint(error) ?? 'use another path');
  }
}
