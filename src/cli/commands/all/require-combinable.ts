import { UsageError } from '../../../stack/usage-error.ts';
import type { AllFlags } from './stacks-of-run.ts';

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
export function requireCombinable({ all, since, ...flags }: AllFlags): void {
  if (all === undefined && since !== undefined)
    throw new UsageError('--since requires --all', 'add --all, or --all DIR');
  if (all === undefined) return;
  const given = Object.entries(ofOneStack).find(([name]) => Object.hasOwn(flags, name));
  if (given !== undefined)
    throw new UsageError(
      `${given[1]} is for one stack and cannot be combined with --all`,
      'run the command for that stack: sluice -C DIR …',
    );
}
