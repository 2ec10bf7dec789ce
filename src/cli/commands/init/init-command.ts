import { randomBytes } from 'node:crypto';
import { lstat, readdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { systemReason, writeHint } from '../../../diagnostics/system-reason.ts';
import { makeDirectory } from '../../../files/make-directory.ts';
import { appendTo } from '../../../files/open-to-write.ts';
import { readSafely } from '../../../files/safe-file.ts';
import { targetFile } from '../../../manifest/write/target-file.ts';
import { stackFileName } from '../../../manifest/stack-file/stack-file.ts';
import { mostOfStackName, stackName } from '../../../manifest/stack-file/stack-schema.ts';
import { refuseMisnamed } from '../../../stack/stack-file-at-hand.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { renewId } from './renew-id.ts';
import { stackTemplate } from './stack-template.ts';

interface InitFlags {
  readonly name?: string;
  readonly empty?: boolean;
  readonly example?: boolean;
  readonly state?: 'file' | keyof typeof sharedStores;
  readonly newId?: boolean;
}

/** Creates a stack with a manifest to start from, or gives a copied stack an id of its own. */
export async function init(context: Context, flags: InitFlags): Promise<number> {
  const dir = resolve(context.io.cwd, context.dir ?? '.');
  const path = join(dir, stackFileName);
  refuseMisnamed(dir);
  const id = randomBytes(4).toString('hex');
  if (flags.newId === true) {
    const name = await renewId(path, id);
    return context.done(`${path}: changed the stack id to ${id}\n`, { path, stack: { name, id } });
  }
  const name = flags.name ?? nameOf(dir);
  const files = await newFiles(dir, flags, { name, id });
  await mustBeDirectories(dir, [...files.keys(), join(manifestFolder, 'any')]);
  await createFiles(dir, files);
  keepOutOfGit(context, join(dir, '.gitignore'));
  return context.done(createdText(name, relative(context.io.cwd, dir), files), {
    path,
    stack: { name, id },
    files: [...files.keys()],
  });
}

const sharedStores = {
  postgres: 'state: {postgres: {url: {from_env: SLUICE_STATE_URL}}} # all runs share state and lock in this database\n',
  s3: 'state: {s3: {bucket: example}} # all runs share state and lock in this bucket\n',
} as const;

const manifestFolder = 'manifests';

/** The files of the new stack, by path from its directory; sluice.yaml first. */
async function newFiles(
  dir: string,
  { empty, example, state }: InitFlags,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<ReadonlyMap<string, string>> {
  if (!stackName.safeParse(name).success)
    throw new UsageError(
      `invalid stack name ${JSON.stringify(name)}`,
      'use lower-case letters, digits and hyphens, such as --name shop',
    );
  const template = stackTemplate(example === true ? 'company' : 'starter');
  const own = (await readdir(join(dir, manifestFolder)).catch(() => [])).length > 0;
  if (own && example === true)
    throw new UsageError(`${join(dir, manifestFolder)} is not empty`, 'create the example in an empty directory');
  const stack = `stack: {name: ${JSON.stringify(name)}, id: ${JSON.stringify(id)}}`;
  const text = template.get(stackFileName)?.replace(/^stack: \{.*?\}/m, stack) ?? '';
  const setting = state === undefined || state === 'file' ? undefined : sharedStores[state];
  const settings = setting === undefined ? text : text.replace(/^state: .*\n|(?![^])/m, setting);
  const others = [...template].filter(
    ([path]) => path !== stackFileName && !((own || empty === true) && path.startsWith(manifestFolder)),
  );
  return new Map([[stackFileName, settings], ...others]);
}

/** Refuses before anything is written if something else is where a directory is needed for one of these files. */
async function mustBeDirectories(dir: string, files: readonly string[]): Promise<void> {
  // That there is a sluice.yaml already is the better reason.
  if ((await lstat(join(dir, stackFileName)).catch(() => undefined)) !== undefined) return;
  for (const folder of new Set(files.flatMap((file) => foldersOf(dir, join(dir, file))))) {
    if ((await lstat(folder).catch(() => undefined)) === undefined) continue;
    const isDirectory = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isDirectory)
      throw new UsageError(
        `${folder} is not a directory, so the stack cannot be created`,
        'rename or remove it, or create the stack in another directory',
      );
  }
}

/** The directories that a file is in, from the outermost in a directory on. */
function foldersOf(dir: string, file: string): readonly string[] {
  const folder = dirname(file);
  return folder === dir ? [dir] : [...foldersOf(dir, folder), folder];
}

/** Writes the files. If there is a sluice.yaml, nothing is written; any other existing file is kept. */
async function createFiles(dir: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, text] of files) {
    const path = join(dir, name);
    try {
      await makeDirectory(dirname(path));
      await writeFile(path, text, { flag: 'wx' });
    } catch (error) {
      const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
      if (exists && name !== stackFileName) continue;
      if (!exists) throw new UsageError(`cannot write ${path}: ${systemReason(error)}`, writeHint(error));
      throw new UsageError(
        `${path} already exists and was not changed`,
        'to give a copied stack a new id, run sluice init --new-id',
      );
    }
  }
  await makeDirectory(join(dir, manifestFolder));
}

/** What was created, and what to do next; `dir` is relative to the working directory. */
function createdText(name: string, dir: string, files: ReadonlyMap<string, string>): string {
  const shown = [...files.keys()].filter((file) => !file.startsWith('schemas'));
  const variables = [...new Set([...files.values()].flatMap((text) => variablesIn(text)))].sort();
  const hasManifests = shown.some((file) => file.startsWith(manifestFolder));
  return [
    `Created the stack ${name} in ${dir === '' ? 'this directory' : dir}:`,
    ...shown.map((file) => `  ${file}`),
    '  schemas/  (for completion in an editor)',
    '',
    hasManifests ? 'Next:' : `Next, when ${manifestFolder}/ contains your manifests:`,
    ...(dir === '' ? [] : ['', `  cd ${dir}`]),
    ...(variables.length === 0
      ? []
      : [
          '',
          '  # set the secrets that the manifests use (any value, for the emulator)',
          `  export ${variables.map((one) => `${one}=example`).join(' ')}`,
        ]),
    '',
    '  sluice validate   to check the manifests',
    '  sluice plan       to show the required changes',
    '  sluice apply      to make these changes',
    '',
  ].join('\n');
}

function variablesIn(text: string): string[] {
  return [...text.matchAll(/from_env: (?!SLUICE_)([A-Z0-9_]+)/g)].map(([, name]) => String(name));
}

// State and the emulator's account belong to one machine, and the account contains the secrets it was given. A saved plan
// is of one moment.
const outOfGit = [
  { line: '.sluice/', known: /^\/?\.sluice\/?\s*$/m },
  { line: '*.plan', known: /^\*\.plan\s*$/m },
];

function keepOutOfGit(context: Context, path: string): void {
  const read = readSafely(path);
  const text = 'text' in read ? read.text : '';
  const missing = outOfGit.filter(({ known }) => !known.test(text)).map(({ line }) => line);
  if (missing.length === 0) return;
  try {
    if (targetFile(dirname(path), basename(path)) === undefined)
      throw new Error('the path is a link to a file in another directory');
    appendTo(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`);
  } catch (error) {
    context.log(
      'warn',
      `cannot write ${path}: ${systemReason(error)}; add ${missing.join(' and ')} to your .gitignore`,
    );
  }
}

/** The default name of a stack: the name of its directory, as far as that is valid. */
function nameOf(dir: string): string {
  const name = basename(dir)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, mostOfStackName)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'stack' : name;
}
