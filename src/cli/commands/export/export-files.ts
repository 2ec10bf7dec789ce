import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { replaceFile } from '../../../files/replace-file.ts';
import type { WrittenManifests } from '../../../manifest/write/write-manifests.ts';
import { writtenText } from '../../../manifest/write/write-text.ts';
import type { Context } from '../../context.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { spelledKind } from '../spelled-kind.ts';

/** Writes manifests into a directory, `kind/name.yaml` each, and prints their paths. What is there already is a reason to write nothing at all, unless it may be overwritten. */
export async function writeFiles(
  context: Context,
  documents: WrittenManifests['documents'],
  dir: string,
  overwrite: boolean,
): Promise<void> {
  const files = documents.map(({ kind, file, value }) => ({
    path: join(dir, spelledKind(kind), `${file}.yaml`),
    text: writtenText(value),
  }));
  const there = overwrite ? [] : files.filter(({ path }) => existsSync(resolve(context.io.cwd, path)));
  if (there.length > 0)
    throw new UsageError(
      `${there[0]?.path ?? dir}${there.length > 1 ? ` and ${String(there.length - 1)} more are` : ' is'} there already; nothing was written`,
      'choose another directory, or say --overwrite',
    );
  for (const { path, text } of files) {
    const whole = resolve(context.io.cwd, path);
    await mkdir(dirname(whole), { recursive: true });
    await (overwrite ? replaceFile(whole, text, { mode: 0o644 }) : writeFile(whole, text, { flag: 'wx' }));
  }
  const paths = files.map(({ path }) => path);
  context.result(
    () => paths.map((path) => `${path}\n`).join(''),
    () => ({ format_version: '1.0', files: paths }),
  );
}
