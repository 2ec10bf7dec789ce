import type { CliCommand } from '../../cli-command.ts';
import { parallelism } from '../../arguments.ts';

/** The command that writes an account as manifests. */
export function addExportCommand(program: CliCommand): void {
  program
    .command('export')
    .summary('write live resources as manifests')
    .argument('[kinds...]', 'kinds such as https-edge, or single resources such as https-edge/ID (default: all)')
    .description(
      'Write live resources as manifests; the next plan adopts them without changes. Default values are omitted, and ids are replaced by names where possible. A secret is replaced by a reference to an environment variable; standard error lists these variables. Writes nothing to the service.',
    )
    .option('--out <dir>', 'write one file per resource to this directory instead of standard output')
    .option('--overwrite', 'with --out: overwrite existing files')
    .option('--all', 'export all discoverable resources in addition to the named ones')
    .option('--all-stacks', 'also export resources owned by other stacks; their manifests contain `lifecycle.adopt`')
    .addOption(parallelism())
    .examples(
      'sluice export',
      'sluice export https-edge',
      'sluice export --out manifests',
      'sluice export --all https-edge/ID',
    )
    .footer(`If the profile has no list operation for a kind, only resources in state and resources with active endpoints are
found. Pass other resources by id; add --all to export all other resources of the account as well.`)
    .loads(async () => (await import('./export-command.ts')).exportAccount);
}
