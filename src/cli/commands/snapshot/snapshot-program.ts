import type { CliCommand } from '../../cli-command.ts';
import { parallelism } from '../../arguments.ts';

/** The command that saves what plans without access to the account read. */
export function addSnapshotCommand(program: CliCommand): void {
  program
    .command('snapshot')
    .summary('save the account and the state to a file, for plans without an API key')
    .description(
      'Save the resources of this stack for `sluice plan --snapshot`, which needs no API key and no network. The file contains no secrets and no values from the environment or files. Of resources that this stack does not manage, it contains only hashes of their ids and of the values that must be unique.',
    )
    .requiredOption('--out <file>', 'where to save the snapshot')
    .addOption(parallelism())
    .examples('sluice snapshot --out snapshot.json', 'sluice plan --snapshot snapshot.json')
    .loads(async () => (await import('./snapshot-command.ts')).snapshot);
}
