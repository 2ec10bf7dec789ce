import { statSync, type BigIntStats } from 'node:fs';
import { unreadable } from '../../files/safe-file.ts';

/** A text that differs for any two contents of a file, without reading them: a file that was replaced is another one, even where its size and content are the same. */
export function identityOf(found: BigIntStats | undefined): string {
  return found === undefined ? '-' : `${fileOf(found)}${found.size}:${found.mtimeNs}`;
}

/** The beginning of such a text, which stays while the same file is written to. */
export function fileOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}:${ino}:`;
}

/** How a file or directory shows that it was written to, that its access was changed, or that it is another one. */
export function stampOf(stats: BigIntStats | string): string {
  if (typeof stats === 'string') return stats;
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** The facts of a file or directory, or the code of why there are none. */
export function statsOf(path: string): BigIntStats | string {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    return unreadable(error).code;
  }
}
