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

/** The name of the new stack, or whether to replace the id of an existing one. */
export interface InitFlags {
  readonly name?: string;
  readonly newId?: boolean;
}

/** Creates the `sluice.yaml` of a new stack, or gives a copied stack an id of its own. */
export async function init(context: Context, flags: InitFlags): Promise<number> {
  const dir = resolve(context.io.cwd, context.dir ?? '.');
  const path = join(dir, stackFileName);
  const id = randomBytes(4).toString('hex');
  const name = flags.newId === true ? await renewId(path, id) : await create(path, id, flags.name ?? nameOf(dir));
  if (flags.newId !== true) keepOutOfGit(context, join(dir, '.gitignore'));
  context.result(
    () => (flags.newId === true ? `${path}: changed the stack id to ${id}\n` : `Created ${path}\n${nextSteps}`),
    () => ({ format_version: '1.0', path, stack: { name, id } }),
  );
  return exitCodes.done;
}

const nextSteps = `
Next: add manifests to manifests/, then run

  sluice validate   to check the manifests
  sluice plan       to show the required changes
  sluice apply      to make these changes
`;

async function create(path: string, id: string, name: string): Promise<string> {
  if (!stackName.safeParse(name).success)
    throw new UsageError(
      `invalid stack name ${JSON.stringify(name)}`,
      'use lower-case letters, digits and hyphens, such as --name shop',
    );
  try {
    await writeFile(path, stackFile(name, id), { flag: 'wx' });
    await mkdir(join(dirname(path), 'manifests'), { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new UsageError(`cannot write ${path}: ${systemReason(error)}`);
    throw new UsageError(
      `${path} already exists and was not changed`,
      'to give a copied stack an id of its own, run sluice init --new-id',
    );
  }
  return name;
}

/** State and the emulator's account belong to one machine, and the account contains the secrets it was given. */
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
    context.log('warn', `cannot write ${path} (${systemReason(error)}): add .sluice/ to your .gitignore`);
  }
}

async function renewId(path: string, id: string): Promise<string> {
  const read = readSafely(path);
  if (!('text' in read)) throw new UsageError(`${path} ${read.message}`, 'run sluice init to create a stack');
  // Edits the document in place, so that comments and layout are preserved.
  const document = parseDocument(read.text);
  const stack = document.get('stack');
  if (document.errors.length > 0 || !isMap(stack))
    throw new UsageError(`${path} has no \`stack\` mapping`, 'run sluice validate to see what is wrong');
  stack.set('id', id);
  const { mode } = await stat(path);
  await replaceFile(path, document.toString({ lineWidth: 0 }), { mode: mode & 0o777 });
  return String(stack.get('name'));
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

function stackFile(name: string, id: string): string {
  return `version: 1
stack: {name: ${JSON.stringify(name)}, id: ${JSON.stringify(id)}} # the id is random and must not change; every stack has its own
manifests: [manifests] # files and directories, relative to this file
api:
  base_url: embedded # the built-in emulator, its data in .sluice/; for a real service, its https URL
  vendor: example # sets the header Example-Version
  profile: completed # or documented: only the operations in the API's description
  key: {from_env: SLUICE_API_KEY}
policy: {max_deletes: 25%}
state: {path: .sluice/state.json} # contains no secrets; listed in .gitignore
`;
}
