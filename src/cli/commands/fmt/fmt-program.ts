import type { CliCommand } from '../../cli-command.ts';

/** The command that formats manifests. */
export function addFmtCommand(program: CliCommand): void {
  program
    .command('fmt')
    .summary('format the manifests')
    .argument('[paths...]', 'files and directories (default: sluice.yaml and its manifests); - formats standard input')
    .description(
      'Format YAML files: indentation, brackets, quotes and blank lines. Values, comments and the order of keys stay the same. Prints the names of the files that were rewritten. If one file does not parse, no file is written.',
    )
    .option('--check', 'write nothing; list the files that are not formatted, and exit with 2 if there are any')
    .examples('sluice fmt', 'sluice fmt --check', 'sluice fmt manifests/shop.yaml', 'sluice fmt -')
    .loads(async () => (await import('./fmt-command.ts')).fmt);
}
