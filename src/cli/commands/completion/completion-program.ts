import { Argument } from 'commander';
import type { CliCommand } from '../../cli-command.ts';

/** The command by which completion scripts read addresses. */
export const addressesCommand = 'complete-addresses';

/** Supported shells. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** The command that prints completion for a shell. */
export function addCompletionCommand(program: CliCommand): void {
  program
    .command('completion')
    .summary('print a shell completion script')
    .addArgument(new Argument('<shell>', 'shell to print the script for').choices(shells))
    .description(
      'Print a shell completion script for commands, flags, flag values, kinds, fields and addresses. The script runs sluice only to read the addresses in the manifests.',
    )
    .examples('source <(sluice completion bash)', 'source <(sluice completion zsh)', 'sluice completion fish | source')
    .runs(async (context, shell: (typeof shells)[number]) =>
      (await import('./completion-command.ts')).completion(context, shell, program),
    );
  program
    .command(addressesCommand, { hidden: true })
    .loads(async () => (await import('./complete-addresses.ts')).completeAddresses);
}
