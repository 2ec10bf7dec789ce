import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Draw } from './draw.ts';
import { files } from './items.ts';
import { pause } from './pause.ts';
import type { Repository } from './repository.ts';
import { stackNames } from './stack-files.ts';

/** Something that goes wrong with the directory, until the next deployment puts it right. */
export interface Mishap {
  readonly name: string;
  readonly happen: (repository: Repository, draw: Draw) => Promise<void>;
}

/** What a writer leaves behind now and then. None of it means that anything is to be deleted. */
export const mishaps: readonly Mishap[] = [
  { name: 'a file cut off in the middle', happen: within(cutOff) },
  { name: 'no manifests', happen: within(emptied) },
  { name: 'an unknown field', happen: within((dir, draw) => change(dir, draw, (text) => `${text}  colour: red\n`)) },
  {
    name: 'a kind nobody knows',
    happen: within((dir, draw) => change(dir, draw, (text) => text.replace(/^kind: .*/m, 'kind: Lighthouse'))),
  },
  { name: 'no YAML', happen: within((dir, draw) => change(dir, draw, () => '<<<<<<< HEAD\nspec: {\n=======\n')) },
  { name: 'a broken sluice.yaml', happen: within((dir) => writeFile(join(dir, 'sluice.yaml'), 'stack: {name: ')) },
  { name: 'no sluice.yaml', happen: within((dir) => rm(join(dir, 'sluice.yaml'))) },
  { name: 'a link to nowhere', happen: (repository) => repository.turn('.worktrees/none') },
  { name: 'a link to an empty tree', happen: (repository) => linkTo(repository, 'empty', {}) },
  {
    name: 'a link to a broken tree',
    happen: (repository) => linkTo(repository, 'broken', { 'sluice.yaml': 'version: 2\n', 'manifests/a.yaml': '{' }),
  },
  { name: 'no directory', happen: gone },
  { name: 'no directory, and back', happen: goneAndBack },
];

/** Does something to both stacks where the link leads to. */
function within(work: (dir: string, draw: Draw) => Promise<void>): Mishap['happen'] {
  return async (repository, draw) => {
    const tree = await repository.worktree();
    if (tree !== undefined) for (const name of stackNames) await work(join(tree, name), draw);
  };
}

/** In the middle of a word: what is left cannot be taken for a shorter file. */
async function cutOff(dir: string, draw: Draw): Promise<void> {
  await change(dir, draw, (text) => {
    const at = text.indexOf('spec:', draw.below(Math.max(1, text.lastIndexOf('spec:'))));
    return `${text.slice(0, at)}spe`;
  });
}

async function change(dir: string, draw: Draw, how: (text: string) => string): Promise<void> {
  const path = join(dir, 'manifests', draw.one(files));
  await writeFile(path, how(await readFile(path, 'utf8')));
}

async function emptied(dir: string): Promise<void> {
  for (const name of await readdir(join(dir, 'manifests'))) await rm(join(dir, 'manifests', name));
}

async function linkTo(repository: Repository, name: string, texts: Readonly<Record<string, string>>): Promise<void> {
  const tree = `${repository.current}.${name}`;
  for (const stack of stackNames) {
    await mkdir(join(tree, stack, 'manifests'), { recursive: true });
    for (const [path, text] of Object.entries(texts)) await writeFile(join(tree, stack, path), text);
  }
  await repository.turn(tree);
}

async function gone(repository: Repository): Promise<void> {
  const tree = await repository.worktree();
  if (tree !== undefined) await rm(tree, { recursive: true });
}

async function goneAndBack(repository: Repository, draw: Draw): Promise<void> {
  const tree = await repository.worktree();
  if (tree === undefined) return;
  await rename(tree, `${tree}.away`);
  await pause(draw.within(100, 3_000));
  await rename(`${tree}.away`, tree);
}
