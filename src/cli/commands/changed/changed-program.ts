import type { Command } from 'commander';
import { examples } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { ChangedFlags } from './changed-command.ts';

/** The command that lists the stacks that a range of commits changes. */
export function addChangedCommand(program: Command, start: Start): void {
  program
    .command('changed')
    .summary('list the stacks whose plan a range of commits can change')
    .description(
      'List the stacks at and below the working directory, or -C DIR, that are made from other files at HEAD than at the last commit it has in common with a ref: manifests, sluice.yaml with its patches and variables, files of from_file and secrets.env_files. Stacks that take outputs of such a stack are listed with it. Other files do not count, nor do changes that are not committed. Reads git only; needs no API key.',
    )
    .requiredOption('--since <ref>', 'a branch or commit, such as origin/main')
    .addHelpText(
      'after',
      `${examples('sluice changed --since origin/main', 'sluice changed --since origin/main --format json | jq -c .matrix')}

A stack is changed, new or deleted. With --format json, \`matrix\` has the changed and new stacks for the matrix of a
GitHub Actions job. The exit code is 0, whether or not there are any.`,
    )
    .action((flags: ChangedFlags) =>
      start(async (context) => (await import('./changed-command.ts')).changed(context, flags)),
    );
}
