import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { hasErrors } from '../../diagnostics/diagnostic.ts';
import { InvalidInput } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isInside } from '../../files/real-path.ts';
import { readStackFile, stackFileName, type StackFile } from '../../manifest/stack-file/stack-file.ts';
import type { Stack } from '../../model/stack.ts';
import { commitTree } from '../git/commit-tree.ts';
import { extractCommit } from '../git/extract-commit.ts';
import type { OpenRepository } from '../git/find-repository.ts';
import { pathFrom, treeEntries } from '../git/tree-entries.ts';
import type { StackConfig } from '../settings/stack-config.ts';
import { stackVariables } from '../settings/stack-variables.ts';
import type { StackContext } from '../stack-context.ts';
import { UsageError } from '../usage-error.ts';
import { loadDesired, type DesiredScope } from './load-desired.ts';

/** The stack as a commit has it. */
export interface CommittedStack {
  readonly wanted: DesiredScope;
  readonly stack: Stack;
}

/**
 * Reads the manifests of a commit, or why they cannot be used. Of its `sluice.yaml`, what describes resources counts:
 * manifests, patches, variables, the stack's name and marker. Values from outside are read from where they are now.
 */
export async function loadCommit(
  context: StackContext,
  open: StackConfig,
  { git, root }: OpenRepository,
  commit: string,
  missingValues: 'error' | 'ignore' = 'error',
): Promise<CommittedStack | { readonly unusable: string }> {
  const dir = realpathSync(open.dir);
  const into = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-base-')));
  try {
    const copy: Copy = { git, commit, root, into, unreadable: new Map(), written: new Set() };
    await extract(copy, dir);
    const file = await stackFileIn(copy, dir, open.stack);
    if ('unusable' in file) return file;
    const wanted = await desiredIn(copy, context, { ...open, dir }, file, missingValues);
    return { wanted, stack: { ...open.stack, ...file.settings.stack, marker: file.settings.marker } };
  } catch (error) {
    // What is wrong with the manifests of a commit is no reason to refuse the change that may correct it.
    if (error instanceof InvalidInput) return { unusable: `the manifests of the commit are invalid: ${error.message}` };
    throw error;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

/** A commit of a repository, and where its files are written. */
interface Copy extends OpenRepository {
  readonly commit: string;
  readonly into: string;
  /** What was to be written there, and could not be read. */
  readonly unreadable: Map<string, string>;
  /** The paths that were written, or tried. */
  readonly written: Set<string>;
}

/** Writes what the commit has at a path of the repository. */
async function extract(copy: Copy, path: string): Promise<void> {
  const { git, commit, into, unreadable, written } = copy;
  const entries = (await treeEntries(git, commit, [pathFrom(copy.root, path)])).filter(
    (entry) => !written.has(entry.path),
  );
  for (const entry of entries) written.add(entry.path);
  for (const [name, why] of await extractCommit(git, entries, into)) unreadable.set(name, why);
}

/** Where links of the commit lead to another place in the repository: writes that too. Returns these places. */
async function extractLinked(copy: Copy, paths: readonly string[]): Promise<readonly string[]> {
  const astray = paths.filter((path) => isInside(path, copy.root) && !existsSync(copied(copy, path)));
  if (astray.length === 0) return [];
  const tree = await commitTree(copy.git, copy.commit);
  const places: string[] = [];
  for (const path of astray) {
    const name = pathFrom(copy.root, path);
    const real = tree.real(name);
    if (real === undefined || real === name) continue;
    const place = join(copy.root, real);
    await extract(copy, place);
    const [at, target] = [copied(copy, path), copied(copy, place)];
    if (existsSync(at) || !existsSync(target)) continue;
    mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
    symlinkSync(target, at);
    for (const link of copy.unreadable.keys()) if (isInside(path, join(copy.root, link))) copy.unreadable.delete(link);
    places.push(place);
  }
  return places;
}

async function stackFileIn(copy: Copy, dir: string, { id }: Stack): Promise<StackFile | { readonly unusable: string }> {
  const path = join(dir, stackFileName);
  mustBeReadable(copy, [path, ...(await extractLinked(copy, [path]))]);
  const { file, diagnostics } = readStackFile(join(copied(copy, dir), stackFileName));
  if (diagnostics.some(({ code }) => code === 'FILE_NOT_FOUND'))
    return { unusable: `the commit has no ${stackFileName} in the directory of this stack` };
  if (file === undefined || hasErrors(diagnostics)) throw new InvalidInput(diagnostics);
  return file.settings.stack.id === id
    ? file
    : { unusable: `the ${stackFileName} of the commit has a different \`stack.id\`` };
}

async function desiredIn(
  copy: Copy,
  context: StackContext,
  open: StackConfig,
  { settings, patches, placeOf }: StackFile,
  missingValues: 'error' | 'ignore',
): Promise<DesiredScope> {
  const { dir } = open;
  const inputs = settings.manifests.map((input) => resolve(dir, input));
  const outside = inputs.find((input) => !isInside(input, copy.root));
  if (outside !== undefined) throw new UsageError(`${safeText(outside)} is outside the git repository`);
  const secretDirs = settings.secrets.dirs.map((one) => resolve(dir, one));
  const elsewhere = [...inputs, ...secretDirs].filter((path) => isInside(path, copy.root) && !isInside(path, dir));
  for (const path of elsewhere) await extract(copy, path);
  const linked = await extractLinked(copy, [...inputs, ...secretDirs]);
  mustBeReadable(copy, [...inputs, ...linked]);
  for (const path of secretDirs) linkUncommitted(copy, path);
  // A variable that only the change declares is none of the commit.
  const assigned = context.flags.var?.filter((one) => Object.hasOwn(settings.vars, one.split('=', 1)[0] ?? '')) ?? [];
  const flags = { ...context.flags, var: assigned };
  const config: StackConfig = {
    ...open,
    // The checkout does not apply to these.
    head: undefined,
    variables: stackVariables({ settings, placeOf }, { io: context.io, flags }, open.credentials),
    dir: copied(copy, dir),
    settings: {
      ...settings,
      manifests: inputs.map((input) => copied(copy, input)),
      secrets: { ...settings.secrets, dirs: secretDirs.map((path) => copied(copy, path)) },
    },
    patches,
    placeOf,
  };
  const quiet: StackContext = { ...context, report: () => Promise.resolve() };
  const read: string[] = [];
  try {
    return await loadDesired(quiet, config, {}, missingValues, (path) => read.push(path));
  } finally {
    mustBeReadable(
      copy,
      read.map((path) => join(copy.root, relative(copy.into, path))),
    );
  }
}

/** Where a path of the repository is in the copy; a path outside of it is itself. */
function copied({ root, into }: Copy, path: string): string {
  return isInside(path, root) ? join(into, relative(root, path)) : path;
}

/** Secrets are often in a directory that git ignores: its files are read from where they are now. */
function linkUncommitted(copy: Copy, path: string): void {
  const at = copied(copy, path);
  if (existsSync(at) || !existsSync(path)) return;
  mkdirSync(dirname(at), { recursive: true, mode: 0o700 });
  symlinkSync(realpathSync(path), at);
}

/** Throws if something at or below a path cannot be read from the commit. */
function mustBeReadable({ root, commit, unreadable }: Copy, paths: readonly string[]): void {
  for (const [path, why] of unreadable)
    if (paths.some((each) => isInside(join(root, path), each) || isInside(each, join(root, path))))
      throw new UsageError(`${safeText(path)} cannot be read from commit ${commit.slice(0, 12)}: ${why}`);
}
