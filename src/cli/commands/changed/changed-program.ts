import type { CliCommand } from '../../cli-command.ts';

/** The command that lists the stacks that a range of commits changes. */
export function addChangedCommand(program: CliCommand): void {
  program
    .command('changed')
    .summary('list the stacks whose plans can differ after a range of commits')
    .description(
      'List the stacks at and below the working directory, or -C DIR, whose files differ between HEAD and its merge base with a ref. sluice compares the manifests, sluice.yaml with its patches and variables, and the files in from_file and secrets.env_files; it ignores other files and uncommitted changes. It also lists the stacks that use outputs of a listed stack. Reads only git; needs no API key.',
    )
    .requiredOption('--since <ref>', 'a branch or commit, such as origin/main')
    .examples('sluice changed --since origin/main', 'sluice changed --since origin/main --format json | jq -c .matrix')
    .footer(`A stack is changed, new or deleted. With --format json, \`matrix\` has the changed and new stacks for the matrix of a
GitHub Actions job. The exit code is 0 even if no stack has changed.`)
    .loads(async () => (await import('./changed-command.ts')).changed);
}
