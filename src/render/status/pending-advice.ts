import type { Address } from '../../model/address.ts';
import type { PendingChange } from '../../model/watch-status.ts';
import { sluiceCommand } from './sluice-command.ts';

/** Changes that are pending for one reason, and the directory of their stack. */
export interface PendingGroup {
  readonly reason: PendingChange['reason'];
  readonly addresses: readonly Address[];
  readonly dir?: string | undefined;
}

// With more, a command is too long to read.
const mostTargets = 5;

/** What a person has to do about pending changes, commands between backticks; empty where an approval is all they need. */
export function pendingAdvice({ reason, addresses, dir }: PendingGroup): string {
  const command = (...args: readonly string[]): string => `\`${sluiceCommand(dir, args)}\``;
  switch (reason) {
    case 'protected':
      return 'To keep the resource, revert the change. To delete or replace it, first push a commit that only sets `lifecycle.protect: false` in its manifest (restore the manifest if it is gone).';
    case 'manual': {
      const targets = addresses.slice(0, mostTargets).flatMap((address) => ['--target', address]);
      const others = addresses.length > mostTargets ? ', with a further `--target` for each other resource,' : '';
      return `Enable the setting in sluice.yaml, or make the manifests match the account. To apply it once, run ${command('pause')}, ${command('apply', ...targets)}${others} and ${command('resume')}.`;
    }
    case 'unresolved':
      return `Run ${command('state', 'resolve')}.`;
    case 'refused':
      return 'Correct the manifest, or the resource in the account that the message names. Until then, each attempt gets the same answer.';
    case 'invalid-manifest':
      return 'Correct the manifest; its errors are listed.';
    case 'approval':
    case 'retry':
    case 'drift-conflict':
    case 'dependency':
      return '';
  }
}
