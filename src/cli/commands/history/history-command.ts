import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Palette } from '../../../render/text/palette.ts';
import { table } from '../../../render/text/table.ts';
import { mostRuns } from '../../../state/most-runs.ts';
import { planTextOf, type RunRecord } from '../../../state/run-record.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { withStateHere } from '../../with-backend.ts';

const idDigits = 8;
const columns = ['RUN', 'ENDED', 'COMMAND', 'BY', 'COMMIT', 'DONE', 'NOT DONE', 'JOB'];

/** Lists the latest runs that had changes to make, newest first. */
export async function listHistory(context: Context, count: number): Promise<number> {
  return withStateHere(context, async (backend) => {
    const runs = await backend.runs(count);
    return context.done(table(columns, runs.map(cells), context.palette, 'There are no recorded runs.\n'), {
      runs: runs.map(runJson),
    });
  });
}

/** Shows one run with its changes and its plan. */
export async function showHistory(context: Context, id: string): Promise<number> {
  return withStateHere(context, async (backend) => {
    const found = (await backend.runs(mostRuns)).filter((run) => run.id.startsWith(id.toLowerCase()));
    const [run] = found;
    if (run === undefined || found.length > 1)
      throw new UsageError(
        `${run === undefined ? 'no run has' : 'several runs have'} an id that begins with ${safeText(id, 80)}`,
        'run `sluice history` to list the runs',
      );
    return context.done(runText(run, context.palette), { run: runJson(run) });
  });
}

function cells(run: RunRecord): readonly string[] {
  const { id, began, ended, command, owner, host, url = '-' } = run;
  return [
    id.slice(0, idDigits),
    ended ?? `no end recorded (began ${began})`,
    command,
    `${owner}@${host}`,
    commitText(run, 12),
    countsText(Object.entries(run.done)),
    notDoneText(run),
    url,
  ].map((text) => safeText(text, 120));
}

function notDoneText({ endings, interrupted, ended }: RunRecord): string {
  if (ended === undefined) return 'run still active, or killed before its end was recorded';
  const open = Object.entries(endings).filter(([ending]) => ending !== 'done');
  return `${countsText(open)}${interrupted ? ', interrupted' : ''}`;
}

function countsText(counts: readonly (readonly [string, number])[]): string {
  const texts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return texts.length === 0 ? '-' : texts.join(' ');
}

function runJson(run: RunRecord): object {
  const { run: _, fence: _fence, plan: _plan, ...facts } = run;
  return { ...facts, plan: planTextOf(run) };
}

const noEnd = 'no end recorded: the run is still active, or was killed. Any of its changes may have been made.';

/** One run for people: what is known of it, how each change ended, and its plan. */
function runText(run: RunRecord, palette: Palette): string {
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
function commitText({ commit = '-', uncommitted = false }: RunRecord, digits?: number): string {
  return `${commit.slice(0, digits)}${uncommitted ? ' (with uncommitted changes)' : ''}`;
}
