import { realpathSync } from 'node:fs';

/** A path without links; undefined where nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** A path without links; as it is where nothing is there. */
export function withoutLinks(path: string): string {
  return realPath(path) ?? path;
}
