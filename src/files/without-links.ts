import { realpathSync } from 'node:fs';

/** A path without links; as it is where nothing is there. */
export function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
