import type { CliCommand } from '../../cli-command.ts';
import { parallelism } from '../../arguments.ts';

/** The command that prints outputs of a stack for other programs. */
export function addOutputCommand(program: CliCommand): void {
  program
    .command('output')
    .summary('print ids, URLs and reserved addresses of resources for scripts')
    .argument('[what]', 'a resource such as Kind/name, or one of its fields, such as Kind/name.id (default: all)')
    .description(
      'Print the live output values of the resources of this stack: ids, public URLs, addresses and other values assigned by the service. Secrets are never printed.',
    )
    .option('--raw', 'print one value without formatting; a list is printed one item per line')
    .addOption(parallelism())
    .examples(
      'sluice output',
      'sluice output --format json',
      'sluice output Kind/name',
      'sluice output Kind/name.urls --raw',
    )
    .loads(async () => (await import('./output-command.ts')).output);
}
