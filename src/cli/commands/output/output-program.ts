import type { Command } from 'commander';
import { examples, parallelism } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { OutputFlags } from './output-command.ts';

/** The command that tells other programs what they need to know of a stack. */
export function addOutputCommand(program: Command, start: Start): void {
  program
    .command('output')
    .summary('tell other programs ids, URLs and addresses')
    .argument(
      '[what]',
      'a resource such as Kind/name, or one of its fields, such as Kind/name.id; everything when left out',
    )
    .description(
      "Tells what other programs need to know of this stack's resources, as the service has it now: ids, public URLs, places and whatever else it decides. Never a secret.",
    )
    .option('--raw', 'one value as it is, and nothing else; of a list, a line each')
    .addOption(parallelism())
    .addHelpText(
      'after',
      examples(
        'sluice output',
        'sluice output --format json',
        'sluice output Kind/name',
        'sluice output Kind/name.urls --raw',
      ),
    )
    .action((what: string | undefined, flags: OutputFlags) =>
      start(async (context) => (await import('./output-command.ts')).output(context, what, flags)),
    );
}
