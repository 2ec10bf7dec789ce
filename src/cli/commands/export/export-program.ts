import type { Command } from 'commander';
import { examples, parallelism } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { ExportFlags } from './export-command.ts';

/** The command that writes an account as manifests. */
export function addExportCommand(program: Command, start: Start): void {
  program
    .command('export')
    .summary('write what is live as manifests')
    .argument(
      '[kinds...]',
      'kinds such as https-edge, or single resources such as https-edge/ID; everything when left out',
    )
    .description(
      'Writes live resources as manifests, by which the next plan adopts them as they are. Defaults are left out, ids become names where they can. A secret becomes the name of a variable to take it from; standard error lists those. Writes nothing to the service.',
    )
    .option('--out <dir>', 'write a file for each resource into this directory, in place of standard output')
    .option('--overwrite', 'with --out: overwrite files that are there')
    .option('--all', 'everything that can be found, also where single resources are named')
    .option('--all-stacks', 'also what carries the marker of another stack; its manifests take it over')
    .addOption(parallelism())
    .addHelpText(
      'after',
      `${examples('sluice export', 'sluice export https-edge', 'sluice export --out manifests', 'sluice export --all https-edge/ID')}

A kind that the profile offers no list of is found where state or the active endpoints show it. What they do not show
is named by its id; --all then exports the rest of the account along with it.`,
    )
    .action((what: readonly string[], flags: ExportFlags) =>
      start(async (context) => (await import('./export-command.ts')).exportAccount(context, what, flags)),
    );
}
