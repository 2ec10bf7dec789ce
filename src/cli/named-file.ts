import { UsageError } from './usage-error.ts';

/** Writes a file that a person has named; what stands in the way is theirs to mend, and told so. */
export async function writeNamed(name: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${name} cannot be written: ${code ?? message}`, 'name a file in a directory that is there');
  }
}
