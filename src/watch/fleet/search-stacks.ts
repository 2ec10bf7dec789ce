import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { findStacks } from '../../stack/all/find-stacks.ts';

/** The stacks of a directory tree. */
export interface FoundStacks {
  /** By path from the directory, `.` for the directory itself: a text that changes when the stack file does. */
  readonly stacks: ReadonlyMap<string, string>;
  /** Why the tree could not be searched: then any stack may still exist. */
  readonly failure?: string;
}

/** Finds every stack at or below a directory, in natural order. A large tree takes long, and the stacks that are watched go on meanwhile. */
export async function searchStacks(dir: string): Promise<FoundStacks> {
  try {
    const stacks = new Map<string, string>();
    for (const found of await findStacks(dir)) {
      const { mtimeMs, size, ino } = await stat(join(found, stackFileName));
      stacks.set(relative(dir, found) || '.', `${String(mtimeMs)} ${String(size)} ${String(ino)}`);
    }
    return { stacks };
  } catch (error) {
    return { stacks: new Map(), failure: error instanceof Error ? error.message : String(error) };
  }
}
