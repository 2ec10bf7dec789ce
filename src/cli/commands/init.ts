import { randomBytes } from 'node:crypto';
import { closeSync, writeFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { systemReason } from '../../diagnostics/system-reason.ts';
import { stackFileName } from '../../manifest/stack-file/stack-file.ts';
import { mostOfStackName, stackName } from '../../manifest/stack-file/stack-schema.ts';
import { openToWrite } from '../../files/open-to-write.ts';
import { readSafely } from '../../files/safe-file.ts';
import { replaceFile } from '../../files/replace-file.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { UsageError } from '../../stack/usage-error.ts';

/** What the new stack is called, and whether an existing one only gets another id. */
export interface InitFlags {
  readonly name?: string;
  readonly newId?: boolean;
}

/** Makes a directory a stack by writing its `sluice.yaml`, or gives a copied stack an id of its own. */
export async function init(context: Context, flags: InitFlags): Promise<number> {
  const dir = resolve(context.io.cwd, context.dir ?? '.');
  const path = join(dir, stackFileName);
  const id = randomBytes(4).toString('hex');
  const name = flags.newId === true ? await renewId(path, id) : await create(path, id, flags.name ?? nameOf(dir));
  if (flags.newId !== true) keepOutOfGit(context, join(dir, '.gitignore'));
  context.result(
    () => (flags.newId === true ? `${path}: the id is now ${id}\n` : `wrote ${path}\n${nextSteps}`),
    () => ({ format_version: '1.0', path, stack: { name, id } }),
  );
  return exitCodes.done;
}

const nextSteps = `
Next: put manifests into manifests/, then

  sluice validate   checks them
  sluice plan       shows what would change
  sluice apply      makes it so
`;

async function create(path: string, id: string, name: string): Promise<string> {
  if (!stackName.safeParse(name).success)
    throw new UsageError(
      `${JSON.stringify(name)} cannot name a stack`,
      'small letters, digits and hyphens, as in --name shop',
    );
  try {
    await writeFile(path, stackFile(name, id), { flag: 'wx' });
    await mkdir(join(dirname(path), 'manifests'), { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`${path} cannot be written: ${systemReason(error)}`);
    throw new UsageError(
      `${path} is there already and stays as it is`,
      'sluice init --new-id gives a copied stack an id of its own',
    );
  }
  return name;
}

/** State and the emulator's account are of one machine; the account holds whatever secrets it was given. */
function keepOutOfGit(context: Context, path: string): void {
  const read = readSafely(path);
  const text = 'text' in read ? read.text : '';
  if (/^\/?\.sluice\/?\s*$/m.test(text)) return;
  try {
    const file = openToWrite(path, 'append');
    try {
      writeFileSync(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}.sluice/\n`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    context.log('warn', `${path} cannot be written (${systemReason(error)}): keep .sluice/ out of git yourself`);
  }
}

async function renewId(path: string, id: string): Promise<string> {
  const read = readSafely(path);
  if (!('text' in read)) throw new UsageError(`${path} ${read.message}`, 'sluice init writes a new one');
  // The document as written, so that comments and layout stay.
  const document = parseDocument(read.text);
  const stack = document.get('stack');
  if (document.errors.length > 0 || !isMap(stack))
    throw new UsageError(`${path} has no \`stack\` to give an id to`, 'sluice validate says what is wrong with it');
  stack.set('id', id);
  const { mode } = await stat(path);
  await replaceFile(path, document.toString({ lineWidth: 0 }), { mode: mode & 0o777 });
  return String(stack.get('name'));
}

/** A stack is called after its directory, as far as that can be a name. */
function nameOf(dir: string): string {
  const name = basename(dir)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, mostOfStackName)
    .replaceAll(/^-+|-+$/g, '');
  return name === '' ? 'stack' : name;
}

function stackFile(name: string, id: string): string {
  return `version: 1
stack: {name: ${JSON.stringify(name)}, id: ${JSON.stringify(id)}} # the id is random and never changes; every stack has its own
manifests: [manifests] # files and directories, relative to this file
api:
  base_url: embedded # the emulator inside sluice, its data in .sluice/; the address of a service here instead
  vendor: example # makes the header Example-Version
  profile: completed # or documented: only what the API's description shows
  key: {from_env: SLUICE_API_KEY}
policy: {max_deletes: 25%}
state: {path: .sluice/state.json} # holds no secret; .gitignore names its directory
`;
}
