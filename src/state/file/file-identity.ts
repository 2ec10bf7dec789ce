import type { BigIntStats } from 'node:fs';

/** A text that differs for any two contents of a file, without reading them: a file that was replaced is another one, even where its size and content are the same. */
export function identityOf(found: BigIntStats | undefined): string {
  return found === undefined ? '-' : `${fileOf(found)}${found.size}:${found.mtimeNs}`;
}

/** The beginning of such a text, which stays while the same file is written to. */
export function fileOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}:`;
}
