import { statSync } from 'node:fs';
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

/** Finds every stack at or below a directory, in natural order. */
export function searchStacks(dir: string): FoundStacks {
  try {
    const stacks = findStacks(dir).map((found): [string, string] => {
      const { mtimeMs, size, ino } = statSync(join(found, stackFileName));
      return [relative(dir, found) || '.', `${String(mtimeMs)} ${String(size)} ${String(ino)}`];
    });
    return { stacks: new Map(stacks) };
  } catch (error) {
    return { stacks: new Map(), failure: error instanceof Error ? error.message : String(error) };
  }
}
