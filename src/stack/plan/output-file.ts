import { systemReason } from '../../diagnostics/system-reason.ts';
import { UsageError } from '../usage-error.ts';

/** Writes a file that a person has named; what stands in the way is theirs to mend, and told so. */
export async function writeOutputFile(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new UsageError(`${name} cannot be written: ${systemReason(error)}`, 'use a path in an existing directory');
  }
}
