import { safeText } from '../../../diagnostics/safe-text.ts';
import { table } from '../../../render/text/table.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { planTextOf, type RunRecord } from '../../../state/remote/run-record.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { withBackend } from '../../with-backend.ts';

const most = 200;

/** Lists the latest runs that changed something, newest first. */
export async function showRuns(context: Context, count = most): Promise<number> {
  return withBackend(context, async (backend) => {
    if (backend.runs === undefined)
      throw new UsageError('the state is in a file', 'runs are recorded in a store that several machines share');
    const runs = await backend.runs(count);
    context.result(
      () => (runs.length === 0 ? 'There are no runs.\n' : table(columns, runs.map(cells), context.palette)),
      () => ({ format_version: '1.0', runs: runs.map(runJson) }),
    );
    return exitCodes.done;
  });
}

const columns = ['ENDED', 'COMMAND', 'BY', 'COMMIT', 'DONE', 'NOT DONE', 'JOB'];

function cells(run: RunRecord): readonly string[] {
  const { ended, command, owner, host, commit = '-', url = '-' } = run;
  const by = `${owner}@${host}`;
  return [ended, command, by, commit.slice(0, 12), doneText(run), notDoneText(run), url].map((text) =>
    safeText(text, 120),
  );
}

function doneText({ done }: RunRecord): string {
  return countsText(Object.entries(done));
}

function notDoneText({ endings, interrupted }: RunRecord): string {
  const open = Object.entries(endings).filter(([ending]) => ending !== 'done');
  return `${countsText(open)}${interrupted ? ', interrupted' : ''}`;
}

function countsText(counts: readonly (readonly [string, number])[]): string {
  const texts = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return texts.length === 0 ? '-' : texts.join(' ');
}

function runJson(run: RunRecord): object {
  const { run: _, id: _id, fence: _fence, plan: _plan, ...facts } = run;
  const plan = planTextOf(run);
  return { ...facts, ...(plan === undefined ? {} : { plan }) };
}
