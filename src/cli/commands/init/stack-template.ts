import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSafely } from '../../../files/safe-file.ts';
import { UsageError } from '../../../stack/usage-error.ts';

/** The files of a stack to copy, by path from its directory, with the JSON Schemas that they name. */
export function stackTemplate(name: 'starter' | 'company'): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const path of filesIn(packaged(join('examples', name)))) {
    const text = textOf(packaged(join('examples', name, path)));
    const depth = path.split(sep).length - 1;
    const local = text.replace(schemaLine, (_, start: string, schema: string) => {
      files.set(join('schemas', schema), textOf(packaged(join('schemas', schema))));
      return `${start}${depth === 0 ? './' : '../'.repeat(depth)}schemas/${schema}`;
    });
    files.set(path, local);
  }
  return files;
}

// The line by which an editor finds the schema of a file.
const schemaLine = /^(# yaml-language-server: \$schema=)(?:\.\.\/)+schemas\/(\S+)$/m;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('.'))
    .sort();
}

/** A file or directory that is installed with sluice: above this module, wherever the build put it. */
function packaged(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, path))) {
    if (folder === dirname(folder))
      throw new UsageError(
        `this installation of sluice does not include ${path}`,
        'install the whole package of sluice',
      );
    folder = dirname(folder);
  }
  return join(folder, path);
}

function textOf(path: string): string {
  const read = readSafely(path);
  if ('text' in read) return read.text;
  throw new UsageError(`${path} ${read.message}`, 'install sluice again');
}
