import type { CliCommand } from '../cli-command.ts';

/** The command that documents kinds, fields and codes. */
export function addExplainCommand(program: CliCommand): void {
  program
    .command('explain')
    .summary('list the kinds, show the fields of a kind, or explain a code')
    .argument(
      '[kind, field or diagnostic code]',
      'a kind, such as https-edge; a topic: External, ModuleSet, metadata, lifecycle, values or sluice.yaml; the dotted path of a field; or the code of a hazard, an error or a warning, such as OPENS_ACCESS',
    )
    .description(
      'Without an argument, list what can be explained. Otherwise show the fields of a kind: the type, limits and default of each field, and the effect of changing it; or what a code means, and what to do about it.',
    )
    .examples(
      'sluice explain',
      'sluice explain https-edge',
      'sluice explain https-edge.routes.oauth.provider',
      'sluice explain OPENS_ACCESS',
    )
    .loads(async () => (await import('./explain-command.ts')).explainKind);
}
