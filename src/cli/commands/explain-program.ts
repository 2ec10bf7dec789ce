import type { Command } from 'commander';
import { examples } from '../arguments.ts';
import type { Start } from '../program.ts';

/** The command that tells what a manifest may say. */
export function addExplainCommand(program: Command, start: Start): void {
  program
    .command('explain')
    .summary('tell what a manifest of a kind may say')
    .argument('<kind>', 'a kind such as https-edge, or one of its fields, by dots')
    .description(
      'Tells what a manifest of a kind may say: each field with its type, its limits, what it is when left out, and what changing it means.',
    )
    .addHelpText('after', examples('sluice explain https-edge', 'sluice explain https-edge.routes.oauth.provider'))
    .action((what: string) => start(async (context) => (await import('./explain.ts')).explainKind(context, what)));
}
