import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import type { Start } from '../program.ts';

/** The command that documents the fields of a kind. */
export function addExplainCommand(program: Command, start: Start): void {
  program
    .command('explain')
    .summary('list the kinds, or show the fields of one')
    .argument(
      '[kind or field]',
      'a kind such as https-edge or edges, External, ModuleSet, metadata, lifecycle, values or sluice.yaml; or the dotted path of a field',
    )
    .description(
      'Without an argument, list what can be explained. Otherwise show the fields of a kind: the type, limits and default of each field, and the effect of changing it.',
    )
    .addHelpText(
      'after',
      examples('sluice explain', 'sluice explain https-edge', 'sluice explain https-edge.routes.oauth.provider'),
    )
    .action((what: string | undefined) =>
      start(async (context) => (await import('./explain-command.ts')).explainKind(context, what)),
    );
}
