import { resolve } from 'node:path';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { shownName } from '../../../manifest/read/read-manifests.ts';
import { findStacks } from '../../../stack/all/find-stacks.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { realDirectory, stacksSince } from '../changed/stacks-since.ts';

/** Which stacks a command is for. */
export interface AllFlags {
  /** All at and below a directory; true: below that of -C, or the working directory. */
  readonly all?: string | boolean;
  /** Only those that differ from the last commit that HEAD has in common with this ref. */
  readonly since?: string;
  /** The file of a saved plan. */
  readonly saved?: string | undefined;
}

/** The stacks of a run, as -C takes them, by path. */
export async function stacksOfRun(context: Context, { all, since }: AllFlags): Promise<readonly string[]> {
  const directory = resolve(context.io.cwd, context.dir ?? '.', typeof all === 'string' ? all : '.');
  const cwd = realDirectory(context.io.cwd);
  const found = (await findStacks(realDirectory(directory))).map((dir) => shownName(cwd, dir));
  if (found.length === 0)
    throw new UsageError(
      `there is no sluice.yaml in ${safeText(directory)} or below it`,
      'pass a directory that contains stacks: --all DIR',
    );
  if (since === undefined) return found;
  const { stacks } = await stacksSince(context, directory, since);
  for (const { stack, change } of stacks)
    if (change === 'deleted')
      context.log(
        'warn',
        `${safeText(stack)} was deleted since ${safeText(since, 200)}; its resources remain in the account`,
      );
  const wanted = new Set(stacks.map(({ stack }) => stack));
  return found.filter((stack) => wanted.has(stack));
}

// Flags that are about one stack: what they name, save or override belongs to it.
const ofOneStack = {
  file: '-f',
  target: '--target',
  destroy: '--destroy',
  check: '--check',
  snapshot: '--snapshot',
  out: '--out',
  digest: '--digest',
  reviewed: '--reviewed',
  events: '--events',
  githubSummary: '--github-summary',
  gitlabReport: '--gitlab-report',
  acceptMissing: '--accept-missing',
  allowEmpty: '--allow-empty',
  keepOldest: '--keep-oldest',
  renameFrom: '--rename-from',
} as const;

/** Refuses flags that are about one stack where a command is for several, and the other way round. */
export function requireCombinable({ all, since, saved, ...flags }: AllFlags): void {
  if (all === undefined && since !== undefined)
    throw new UsageError('--since requires --all', 'add --all, or --all DIR');
  if (all === undefined) return;
  if (saved !== undefined)
    throw new UsageError(
      'a saved plan is for one stack and cannot be combined with --all',
      'to apply all stacks in a directory, use --all DIR',
    );
  const given = Object.entries(ofOneStack).find(([name]) => Object.hasOwn(flags, name));
  if (given !== undefined)
    throw new UsageError(
      `${given[1]} is for one stack and cannot be combined with --all`,
      'run the command for that stack: sluice -C DIR …',
    );
}
