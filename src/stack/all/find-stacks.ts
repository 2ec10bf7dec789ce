import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { safeText } from '../../diagnostics/safe-text.ts';
import { unreadable } from '../../files/safe-file.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import { UsageError } from '../usage-error.ts';

// A tree with more is the root of a machine rather than a repository.
const mostDirectories = 100_000;

/** The directories at and below one that are stacks, by path. Links, hidden directories and installed packages are not searched. */
export async function findStacks(dir: string): Promise<readonly string[]> {
  const found: string[] = [];
  const waiting = [dir];
  for (let read = 0; waiting.length > 0; read++) {
    if (read === mostDirectories)
      throw new UsageError(
        `${safeText(dir)} contains more than ${String(mostDirectories)} directories`,
        'pass a subdirectory that contains the stacks',
      );
    const at = waiting.pop() ?? dir;
    for (const entry of await entriesOf(at)) {
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.') && entry.name !== 'node_modules') waiting.push(join(at, entry.name));
      } else if (entry.isFile() && entry.name === stackFileName) found.push(at);
    }
  }
  return found.sort(inNaturalOrder);
}

/** A directory that cannot be read ends the search: a stack in it would be left out silently. */
async function entriesOf(dir: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    throw new UsageError(`the directory ${safeText(dir)} ${unreadable(error).message}`);
  }
}
