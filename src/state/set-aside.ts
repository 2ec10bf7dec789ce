import { rename } from 'node:fs/promises';
import { journalOf } from './read-state.ts';

/** Moves a state file that cannot be read, and its journal, out of the way, where a person still finds them. Answers where to. */
export async function setAside(path: string, now: Date): Promise<string> {
  const aside = `${path}.unreadable-${now.toISOString().replace(/[-:.]/g, '')}`;
  await moveIfThere(path, aside);
  await moveIfThere(journalOf(path), journalOf(aside));
  return aside;
}

async function moveIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
