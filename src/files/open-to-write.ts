import { closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs';

/** Opens a file to write at its end, or in its place: a pipe or socket is refused and never waited for. */
export function openToWrite(path: string, how: 'append' | 'replace', mode = 0o666): number {
  const { O_WRONLY, O_CREAT, O_NONBLOCK, O_APPEND, O_TRUNC } = constants;
  try {
    const file = openSync(path, O_WRONLY | O_CREAT | O_NONBLOCK | (how === 'append' ? O_APPEND : O_TRUNC), mode);
    const opened = fstatSync(file);
    if (opened.isFile() || opened.isCharacterDevice()) return file;
    closeSync(file);
  } catch (error) {
    // Nobody is at the other end of a pipe or socket.
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
  }
  throw new Error('the path is a pipe or socket, not a file');
}

/** Adds text at the end of a file. */
export function appendTo(path: string, text: string): void {
  const file = openToWrite(path, 'append');
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}
