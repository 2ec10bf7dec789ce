import { existsSync } from 'node:fs';

/** The program of a thread that the build puts beside its own; undefined where the program is not built. */
export function builtThread(name: string): URL | undefined {
  const url = new URL(`./${name}.cjs`, import.meta.url);
  return existsSync(url) ? url : undefined;
}
