import { Option, type Command } from 'commander';
import { examples, repeatable, selecting } from '../../arguments.ts';
import type { Start } from '../../program.ts';
import type { RenderFlags } from './render-command.ts';

/** The command that prints what manifests come to. */
export function addRenderCommand(program: Command, start: Start): void {
  selecting(program.command('render'))
    .summary('print the manifests with their patches, module sets and variables filled in')
    .description(
      'Print each resource as a separate manifest, as the next plan would use it: patches are applied, module sets and routes are expanded, and printable values of variables and files are filled in. Secrets and other values remain references. Does not contact the service.',
    )
    .addOption(new Option('--kind <kind>', 'print only resources of this kind; repeatable').argParser(repeatable))
    .addHelpText(
      'after',
      examples('sluice render', 'sluice render --kind routes', "sluice render --target 'edge/shop' --format json"),
    )
    .action((flags: RenderFlags) =>
      start(async (context) => (await import('./render-command.ts')).render(context, flags)),
    );
}
