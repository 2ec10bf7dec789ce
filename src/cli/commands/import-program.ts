import type { Command } from 'commander';
import { allow, examples, lockTimeout, parallelism, repeatable } from '../arguments.ts';
import type { Start } from '../program.ts';
import type { ImportFlags } from './import.ts';

/** The command that takes over one live resource. */
export function addImportCommand(program: Command, start: Start): void {
  program
    .command('import')
    .summary('take over a live resource that the manifests describe')
    .argument('<address>', 'what the manifests call it, such as Kind/name')
    .argument('<id>', 'its id')
    .description(
      'Makes a live resource the one that the manifests describe, as `lifecycle.adopt` would, and without writing that down. Shows what would change about it, asks, and makes it what its manifest says.',
    )
    .option('-f, --file <path>', 'manifests to read in place of those in sluice.yaml; repeatable', repeatable)
    .option('--adopt-from <stack id>', 'the stack whose marker it carries, where that has given it up')
    .option('--auto-approve', 'do not ask')
    .addOption(allow())
    .addOption(lockTimeout())
    .addOption(parallelism())
    .addHelpText(
      'after',
      `${examples('sluice import Kind/name ID', 'sluice import Kind/name ID --auto-approve')}

\`sluice export\` writes the manifests of what has none yet. \`sluice state forget\` lets go again.`,
    )
    .action((address: string, id: string, flags: ImportFlags) =>
      start(async (context) => (await import('./import.ts')).importResource(context, address, id, flags)),
    );
}
