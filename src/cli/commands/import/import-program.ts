import type { CliCommand } from '../../cli-command.ts';
import { allow, approving, lockTimeout, parallelism, repeatable } from '../../arguments.ts';
import { stopManaging } from '../../usage/stop-managing.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { ImportFlags } from './import-command.ts';

/** The command that imports live resources. */
export function addImportCommand(program: CliCommand): void {
  approving(program.command('import'))
    .summary('adopt live resources: the stack manages them from then on')
    .argument(
      '[address]',
      'address of the resource in the manifests, such as Kind/name; without an id, * matches any text',
    )
    .argument(
      '[id]',
      'id of the live resource (default: the one with the same unique value as the manifest, such as its hostport)',
    )
    .description(
      'Import live resources to addresses that the manifests define, like `lifecycle.adopt` but without editing the manifests. Without an id, sluice matches each resource of the manifests that it does not manage yet with the unmanaged live resource that has the same unique value, such as a hostport, a domain, a route match within its edge, or a CA certificate. Shows the matches and the required changes, asks for approval, and applies them.',
    )
    .option('--all', 'import every live resource that matches a manifest')
    .option('-f, --file <path>', 'manifests to read instead of those in sluice.yaml; repeatable', repeatable)
    .option('--adopt-from <stack id>', 'id of the stack that managed the resource before and no longer manages it')
    .addOption(allow())
    .addOption(lockTimeout())
    .addOption(parallelism())
    .examples('sluice import Kind/name ID', "sluice import 'Kind/*'", 'sluice import --all')
    .footer(
      `To write manifests for live resources, run \`sluice export\`. To undo an import and keep the live resource, ${stopManaging}.`,
    )
    .runs(
      async (
        context,
        address: string | undefined,
        id: string | undefined,
        flags: ImportFlags & { readonly all?: boolean },
      ) => {
        if ((address === undefined) !== (flags.all === true))
          throw new UsageError(
            'import requires either an address or --all',
            'run `sluice import --all`, or pass an address',
          );
        if (address !== undefined && id !== undefined)
          return (await import('./import-command.ts')).importResource(context, address, id, flags);
        return (await import('./import-all-command.ts')).importAll(context, address ?? '*', flags);
      },
    );
}
