import { isInGit, isInside, withoutLinks } from '../../files/real-path.ts';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { limits } from './limits.ts';
import { decodeText, readSafely, unreadable, type FileProblem } from '../../files/safe-file.ts';
import { SourceFile } from './source-document.ts';

/** Where manifests are read from. */
export interface ReadOptions {
  /** The stack's directory, absolute. */
  readonly dir: string;
  /** Files and directories, relative to `dir` or absolute, or `-` for standard input. */
  readonly inputs: readonly string[];
  readonly stdin?: () => Promise<Buffer>;
  /** They are all manifests of the stack, so that a directory without any is a mistake, such as a volume that is not mounted. */
  readonly whole?: boolean;
}

/** A file, or what kept it from being read. */
export type ReadResult = { readonly file: SourceFile } | ReadProblem;

/** What kept a file or a directory from being read. */
export interface ReadProblem {
  readonly problem: Diagnostic;
  /** A limit was met: what comes after it is not read either. */
  readonly isEnd?: true;
}

/** Every file that the inputs name, one at a time in the order of their names, each once. A directory gives its `.yaml`, `.yml` and `.json` files, recursively and without hidden ones. */
export async function* readManifests({ dir, inputs, stdin, whole = false }: ReadOptions): AsyncGenerator<ReadResult> {
  let bytes: number = limits.totalBytes;
  for (const found of findManifests(dir, inputs)) {
    if ('directory' in found) continue;
    if ('empty' in found) {
      if (whole) yield emptyDirectory(shownName(dir, found.empty));
    } else if ('stdin' in found) yield fromText('<stdin>', decodeText((await stdin?.()) ?? Buffer.alloc(0)));
    else if ('problem' in found) yield found;
    else {
      const result = fromText(shownName(dir, found.path), readSafely(found.real), found.path);
      if ('file' in result) bytes -= Buffer.byteLength(result.file.text);
      if (bytes >= 0) yield result;
      else {
        const message = `brings the size of all files together above the limit of ${String(limits.totalBytes)} bytes; sluice reads no further files`;
        yield { ...problem(shownName(dir, found.path), { code: 'TOO_LARGE', message }), isEnd: true };
        return;
      }
    }
  }
}

/** What is found where manifests are searched: a file by its path and without links, a directory that was read, an input that has nothing while others have files, or what is wrong there. */
export type FoundFiles =
  | { readonly path: string; readonly real: string }
  | { readonly directory: string }
  | { readonly empty: string }
  | { readonly stdin: true }
  | ReadProblem;

/** Finds what the inputs name without reading it: in the order of `readManifests`, each file once. */
export function* findManifests(dir: string, inputs: readonly string[]): Generator<FoundFiles> {
  const budget = { files: limits.files };
  const seen = new Set<string>();
  const empty: string[] = [];
  for (const input of inputs) {
    if (input === '-') {
      yield { stdin: true };
      continue;
    }
    const path = resolve(dir, input);
    let isEmpty = true;
    for (const found of filesOf(path, dir, budget)) {
      if (!('directory' in found)) isEmpty = false;
      if ('real' in found && seen.has(found.real)) continue;
      if ('real' in found) seen.add(found.real);
      yield found;
    }
    if (isEmpty) empty.push(path);
  }
  if (seen.size > 0) for (const path of empty) yield { empty: path };
}

/** A path as people see it: from the stack's directory, with forward slashes. */
export function shownName(dir: string, path: string): string {
  return relative(dir, path).split(sep).join('/') || '.';
}

function* filesOf(path: string, dir: string, budget: { files: number }): Generator<FoundFiles> {
  try {
    const real = realpathSync(path);
    if (!statSync(real).isDirectory()) {
      yield { path, real };
      return;
    }
    const roots = [real, withoutLinks(dir)];
    yield* walk(path, real, { dir, roots, budget, read: new Set() });
  } catch (error) {
    const flaw = unreadable(error);
    yield problem(shownName(dir, path), { ...flaw, ...(flaw.code === 'FILE_NOT_FOUND' ? { hint: ofInput } : {}) });
  }
}

const ofInput =
  'correct the path under `manifests` in sluice.yaml, or after -f; to read all manifests of a directory, name the directory';

interface Walk {
  readonly dir: string;
  /** What a link may lead to. */
  readonly roots: readonly string[];
  readonly budget: { files: number };
  /** The directories that were read: a link to one of them adds nothing, and many could lead to each. */
  readonly read: Set<string>;
}

function* walk(path: string, real: string, options: Walk): Generator<FoundFiles> {
  if (options.read.has(real)) return;
  options.read.add(real);
  yield { directory: real };
  const entries = readdirSync(real, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const here = join(path, entry.name);
    try {
      const target = entry.isSymbolicLink() ? realpathSync(join(real, entry.name)) : join(real, entry.name);
      const isDirectory = entry.isSymbolicLink() ? statSync(target).isDirectory() : entry.isDirectory();
      if (!isDirectory && !isManifestName(entry.name)) continue;
      if (entry.isSymbolicLink() && !isOfStack(target, options.roots))
        yield problem(shownName(options.dir, here), {
          code: 'PATH_OUTSIDE_STACK',
          message: 'is a symbolic link to a path outside the stack',
        });
      else if (isDirectory) yield* walk(here, target, options);
      else if (--options.budget.files >= 0) yield { path: here, real: target };
      else if (options.budget.files === -1) {
        const message = `brings the number of files above the limit of ${String(limits.files)}; sluice reads no further files`;
        yield { ...problem(shownName(options.dir, here), { code: 'TOO_LARGE', message }), isEnd: true };
      }
    } catch (error) {
      yield problem(shownName(options.dir, here), unreadable(error));
    }
  }
}

function isOfStack(target: string, roots: readonly string[]): boolean {
  return roots.some((root) => isInside(target, root) && !isInGit(relative(root, target)));
}

/** Whether a directory of manifests gives a file of this name. */
export function isManifestName(name: string): boolean {
  return /\.(ya?ml|json)$/i.test(name);
}

function fromText(name: string, result: { readonly text: string } | FileProblem, path?: string): ReadResult {
  return 'text' in result ? { file: new SourceFile(name, result.text, path) } : problem(name, result);
}

function emptyDirectory(name: string): ReadProblem {
  return {
    problem: {
      code: 'NO_MANIFESTS',
      severity: 'error',
      message: 'the directory has no manifest file, so sluice deletes nothing',
      hint: 'add a manifest file to the directory (an empty one is enough), or remove the directory from `manifests` in sluice.yaml, or from the -f flags',
      place: { file: name, line: 1, col: 1 },
    },
  };
}

function problem(name: string, { message, ...rest }: FileProblem & { readonly hint?: string }): ReadProblem {
  const place = { file: name, line: 1, col: 1 };
  return { problem: { ...rest, severity: 'error', message: `the file ${message}`, place } };
}
