import { safeText } from '../../../diagnostics/safe-text.ts';
import { table } from '../../../render/text/table.ts';
import { mostRuns } from '../../../state/most-runs.ts';
import { planTextOf, type RunRecord } from '../../../state/run-record.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withStateHere } from '../../with-backend.ts';
import { commitText, runText } from './run-text.ts';

const idDigits = 8;
const columns = ['RUN', 'ENDED', 'COMMAND', 'BY', 'COMMIT', 'DONE', 'NOT DONE', 'JOB'];

/** Lists the latest runs that had changes to make, newest first. */
export async function listHistory(context: Context, count = 20): Promise<number> {
  return withStateHere(context, async (backend) => {
    const runs = await backend.runs(count);
    context.result(
      () => (runs.length === 0 ? 'There are no recorded runs.\n' : table(columns, runs.map(cells), context.palette)),
      () => ({ format_version: '1.0', runs: runs.map(runJson) }),
    );
    return exitCodes.done;
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
    context.result(
      () => runText(run, context.palette),
      () => ({ format_version: '1.0', run: runJson(run) }),
    );
    return exitCodes.done;
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
    doneText(run),
    notDoneText(run),
    url,
  ].map((text) => safeText(text, 120));
}

function doneText({ done }: RunRecord): string {
  return countsText(Object.entries(done));
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
  const plan = planTextOf(run);
  return { ...facts, ...(plan === undefined ? {} : { plan }) };
}
