import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import { planTextOf, type RunRecord } from '../../../state/run-record.ts';

const noEnd = 'no end recorded: the run is still active, or was killed. Any of its changes may have been made.';

/** One run for people: what is known of it, how each change ended, and its plan. */
export function runText(run: RunRecord, palette: Palette): string {
  const { id, command, owner, host, digest, url, began, ended, requests, interrupted, changes, omitted } = run;
  const { approvals = [] } = run;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Run', id],
    ['Command', command],
    ['By', `${owner}@${host}`],
    ['Commit', run.commit === undefined ? undefined : commitText(run)],
    ['Digest', digest],
    ['Job', url],
    ...approvals.map(
      ({ digest: what, by, at, reason }) =>
        ['Approved', `${what} by ${by} at ${at}${reason === undefined ? '' : `: ${reason}`}`] as const,
    ),
    ['Began', began],
    ['Ended', ended === undefined ? noEnd : `${ended}${interrupted ? ' (interrupted)' : ''}`],
    ['Requests', ended === undefined ? 'unknown' : String(requests)],
  ];
  const lines = facts.flatMap(([name, text]) =>
    text === undefined ? [] : [`${`${name}:`.padEnd(10)} ${safeText(text, 400)}\n`],
  );
  const rows = changes.map(({ address, action, ending, id: made = '-' }) =>
    [address, action, ending, made].map((text) => safeText(text, 200)),
  );
  const plan = planTextOf(run)?.trimEnd().split('\n');
  return [
    ...lines,
    '\n',
    table(['ADDRESS', 'ACTION', 'OUTCOME', 'ID'], rows, palette),
    ...(omitted === 0 ? [] : [`and ${String(omitted)} more changes\n`]),
    // Whoever can write to the store could have put anything into it.
    ...(plan === undefined ? [] : ['\n', ...plan.map((line) => `${safeText(line, 4000)}\n`)]),
  ].join('');
}

/** The commit of a run, and whether there was more than the commit. */
export function commitText({ commit = '-', uncommitted = false }: RunRecord, digits?: number): string {
  return `${commit.slice(0, digits)}${uncommitted ? ' (with uncommitted changes)' : ''}`;
}
