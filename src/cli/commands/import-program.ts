import type { Command } from 'commander';
import { allow, approving, examples, lockTimeout, parallelism, repeatable } from '../arguments.ts';
import type { Start } from '../program.ts';
import type { ImportFlags } from './import-command.ts';

/** The command that imports one live resource. */
export function addImportCommand(program: Command, start: Start): void {
  approving(program.command('import'))
    .summary('bring a live resource under the control of the stack')
    .argument('<address>', 'address of the resource in the manifests, such as Kind/name')
    .argument('<id>', 'id of the live resource')
    .description(
      'Import a live resource to an address that the manifests define, like `lifecycle.adopt` but without editing the manifest. Shows the required changes, asks for approval, and applies them.',
    )
    .option('-f, --file <path>', 'manifests to read instead of those in sluice.yaml; repeatable', repeatable)
    .option('--adopt-from <stack id>', 'stack that owned the resource before and has released it')
    .addOption(allow())
    .addOption(lockTimeout())
    .addOption(parallelism())
    .addHelpText(
      'after',
      `${examples('sluice import Kind/name ID', 'sluice import Kind/name ID --auto-approve')}

To write manifests for live resources, run \`sluice export\`. To undo an import, run \`sluice state forget\`.`,
    )
    .action((address: string, id: string, flags: ImportFlags) =>
      start(async (context) => (await import('./import-command.ts')).importResource(context, address, id, flags)),
    );
}
