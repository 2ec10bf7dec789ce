// Removes the type declarations that the library's public interface does not reach.
import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const root = 'dist/types';
const reached = new Set([join(root, 'src/index.d.ts')]);
for (const file of reached)
  for (const [, specifier = ''] of (await readFile(file, 'utf8')).matchAll(
    /\b(?:from|import)\b\s*\(?["'](\.[^"']+)["']/g,
  ))
    reached.add(join(dirname(file), specifier.replace(/\.ts$/, '.d.ts')));

for (const entry of await readdir(root, { withFileTypes: true, recursive: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !reached.has(file)) await rm(file);
}
