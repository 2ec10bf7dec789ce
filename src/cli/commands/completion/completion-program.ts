import { Argument, type Command } from 'commander';
import { examples } from '../../arguments.ts';
import type { Start } from '../../program.ts';

/** Shells that there is a script for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

/** The command that prints completion for a shell. */
export function addCompletionCommand(program: Command, start: Start): void {
  program
    .command('completion')
    .summary('print a script by which a shell completes what is typed')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .description(
      'Prints a script by which a shell completes commands, flags, their values and kinds. Nothing is run while somebody types.',
    )
    .addHelpText(
      'after',
      examples(
        'source <(sluice completion bash)',
        'source <(sluice completion zsh)',
        'sluice completion fish | source',
      ),
    )
    .action((shell: (typeof shells)[number]) =>
      start(async (context) => (await import('./completion-command.ts')).completion(context, shell, program)),
    );
}
