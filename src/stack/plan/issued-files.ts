import { dirname, resolve } from 'node:path';
import { makeDirectory } from '../../files/make-directory.ts';
import { readSafely } from '../../files/safe-file.ts';
import { targetFile } from '../../manifest/write/target-file.ts';
import type { DesiredStack } from '../../model/resource.ts';
import { replaceFile } from '../../files/replace-file.ts';

/** What the files hold that manifests want written, by path; undefined for one that is missing. */
export function readIssuedFiles(dir: string, { resources }: DesiredStack): Map<string, string | undefined> {
  return new Map(
    resources.flatMap(({ lifecycle: { certificate_file: path } }) =>
      path === undefined ? [] : [[path, held(resolve(dir, path))]],
    ),
  );
}

/** Writes a file of the stack, readable by all users. Its target is checked again: links may have changed since the plan. */
export async function writeIssued(dir: string, path: string, text: string): Promise<void> {
  const target = targetFile(dir, path);
  if (target === undefined) throw new Error('the path is outside of the stack directory');
  await makeDirectory(dirname(target.real));
  await replaceFile(target.real, text, { mode: 0o644 });
}

/** A file that is not text, or cannot be read, counts as different. */
function held(path: string): string | undefined {
  const read = readSafely(path);
  if ('text' in read) return read.text;
  return read.code === 'FILE_NOT_FOUND' ? undefined : '';
}
