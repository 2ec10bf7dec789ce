import type { CliCommand } from '../../cli-command.ts';
import { wholeNumber } from '../../arguments.ts';
import { mostRuns } from '../../../state/most-runs.ts';

/** The command that shows what earlier runs did. */
export function addHistoryCommand(program: CliCommand): void {
  program
    .command('history')
    .summary('list the latest runs that changed something')
    .argument('[run]', 'id of a run, or the beginning of the id: show the changes and the plan of this run')
    .description(
      'List the latest runs that had changes to make, newest first, with the time, user, commit, pipeline job and number of completed changes. The state store keeps at most 200 runs, each for at most 90 days. The records contain no secrets.',
    )
    .option('--limit <n>', 'maximum number of runs to list', wholeNumber(mostRuns), 20)
    .examples('sluice history', 'sluice history 3f9a01bc', 'sluice history --limit 1 --format json')
    .runs(async (context, run: string | undefined, flags: { readonly limit: number }) => {
      const { listHistory, showHistory } = await import('./history-command.ts');
      return run === undefined ? listHistory(context, flags.limit) : showHistory(context, run);
    });
}
