import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { counted } from '../../../diagnostics/counted.ts';
import { apiVersion } from '../../../manifest/check/manifest-shape.ts';
import { isInGit } from '../../../files/real-path.ts';
import { makeDirectory } from '../../../files/make-directory.ts';
import { replaceFile } from '../../../files/replace-file.ts';
import type { WrittenManifests } from '../../../manifest/write/write-manifests.ts';
import { targetFile } from '../../../manifest/write/target-file.ts';
import { writtenText } from '../../../manifest/write/write-text.ts';
import type { Context } from '../../context.ts';
import { spelledKind } from '../../../derive/explain/kind-words.ts';
import { UsageError, writeOutputFile } from '../../../stack/usage-error.ts';

/** Where to write manifests. */
export interface WriteFlags {
  readonly out?: string;
  readonly overwrite?: boolean;
}

/** Prints manifests, or writes each to `kind/name.yaml` in a directory and prints the paths. Writes nothing if a file exists and may not be overwritten. */
export async function writeDocuments(
  context: Context,
  documents: WrittenManifests['documents'],
  { out, overwrite = false }: WriteFlags,
): Promise<void> {
  if (out === undefined && overwrite)
    throw new UsageError('--overwrite requires --out', 'pass the directory of the files with --out');
  if (out !== undefined) await writeFiles(context, documents, out, overwrite);
  else
    context.result(
      () => documents.map(({ value }) => writtenText(value)).join('---\n'),
      () => ({ apiVersion, kind: 'List', items: documents.map(({ value }) => value) }),
    );
}

async function writeFiles(
  context: Context,
  documents: WrittenManifests['documents'],
  dir: string,
  overwrite: boolean,
): Promise<void> {
  if (isInGit(resolve(context.io.cwd, dir)))
    throw new UsageError(`${dir} is inside a .git directory; nothing was written`, 'choose another directory');
  const files = documents.map(({ kind, file, value }) => {
    const folder = spelledKind(kind);
    return {
      path: join(dir, folder, `${file}.yaml`),
      text: writtenText(value),
      // A link in a checkout may be a stranger's. One in the place of the file itself is replaced, not followed.
      isInside: targetFile(resolve(context.io.cwd, dir), folder) !== undefined,
    };
  });
  const astray = files.find(({ isInside }) => !isInside);
  if (astray !== undefined)
    throw new UsageError(
      `${astray.path} is outside of ${dir}, because of a symbolic link; nothing was written`,
      'choose another directory',
    );
  const existing = overwrite ? [] : files.filter(({ path }) => existsSync(resolve(context.io.cwd, path)));
  if (existing.length > 0)
    throw new UsageError(
      `${existing[0]?.path ?? dir}${existing.length > 1 ? ` and ${counted(existing.length - 1, 'other file')} already exist` : ' already exists'}; nothing was written`,
      'choose another directory, or pass --overwrite',
    );
  for (const { path, text } of files) {
    const whole = resolve(context.io.cwd, path);
    await writeOutputFile(path, async () => {
      await makeDirectory(dirname(whole));
      await (overwrite ? replaceFile(whole, text, { mode: 0o644 }) : writeFile(whole, text, { flag: 'wx' }));
    });
  }
  const paths = files.map(({ path }) => path);
  context.done(paths.map((path) => `${path}\n`).join(''), { files: paths });
}

/** Warns of secrets that manifests were written without: which variables have to hold them. */
export function warnOfSecrets({ log }: Context, variables: readonly string[]): void {
  const names = variables.map((name) => `\n  ${name}`).join('');
  if (names === '') return;
  log(
    'warn',
    `Secrets were not exported. Before the next plan, set these environment variables to the current values of the secrets:${names}`,
  );
}
