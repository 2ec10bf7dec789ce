import type { CliCommand } from '../../cli-command.ts';

/** The commands that write manifests from the configurations of other tools. */
export function addConvertCommands(program: CliCommand): void {
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
    .loads(async () => (await import('./convert-terraform-command.ts')).convertTerraformFile);
}
