import type { CliCommand } from '../../cli-command.ts';
import { repeatable, selecting } from '../../arguments.ts';

/** The command that prints what manifests come to. */
export function addRenderCommand(program: CliCommand): void {
  selecting(program.command('render'))
    .summary('print the manifests with their patches, module sets and variables filled in')
    .description(
      'Print each resource as a separate manifest, as the next plan would use it: patches are applied, module sets and routes are expanded, and printable values of variables and files are filled in. Secrets and other values remain references. Does not contact the service.',
    )
    .option('--kind <kind>', 'print only resources of this kind; repeatable', repeatable)
    .examples('sluice render', 'sluice render --kind routes', "sluice render --target 'edge/shop' --format json")
    .loads(async () => (await import('./render-command.ts')).render);
}
