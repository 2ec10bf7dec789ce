import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import type { Start } from '../program.ts';

/** The command that documents the fields of a kind. */
export function addExplainCommand(program: Command, start: Start): void {
  program
    .command('explain')
    .summary('show the fields of a kind')
    .argument('<kind>', 'a kind such as https-edge, or the dotted path of one of its fields')
    .description(
      'Show the fields of a kind: the type, limits and default of each field, and the effect of changing it.',
    )
    .addHelpText('after', examples('sluice explain https-edge', 'sluice explain https-edge.routes.oauth.provider'))
    .action((what: string) =>
      start(async (context) => (await import('./explain-command.ts')).explainKind(context, what)),
    );
}
