import type { CliCommand } from '../../cli-command.ts';
import { parallelism } from '../../arguments.ts';

/** The commands that write manifests: of an account, and of the state of another tool. */
export function addExportCommands(program: CliCommand): void {
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
  const convert = program
    .command('convert')
    .summary('write manifests from the state of another tool')
    .description('Write manifests from the state of another tool. Contacts no service.')
    .examples('terraform show -json | sluice convert terraform - --out manifests');

  convert
    .command('terraform')
    .summary('write manifests from a Terraform state or plan')
    .argument('<file>', 'the output of `terraform show -json`; - reads standard input')
    .description(
      'Write manifests from the output of `terraform show -json`; the next plan adopts the resources by id. sluice recognizes a resource type by the end of its name and ignores the provider prefix. Ids are replaced by names where possible. Secrets and sensitive values are replaced by references to environment variables; standard error lists these variables, and what could not be converted. Contacts no service.',
    )
    .option('--out <dir>', 'write one file per resource to this directory instead of standard output')
    .option('--overwrite', 'with --out: overwrite existing files')
    .option('--report <file>', 'write what could not be converted to this file, as Markdown')
    .examples(
      'terraform show -json > state.json',
      'sluice convert terraform state.json --out manifests --report report.md',
    )
    .loads(async () => (await import('../convert/convert-terraform-command.ts')).convertTerraformFile);
}
