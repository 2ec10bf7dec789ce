import { counted } from '../../diagnostics/counted.ts';
import type { Address } from '../../model/address.ts';
import type { DriftConflict, PendingChange } from '../../model/status/watch-status.ts';
import { sluiceCommand } from './sluice-command.ts';

/** Changes that are pending for one reason, and the directory of their stack. */
export interface PendingGroup {
  readonly reason: PendingChange['reason'];
  readonly dir?: string | undefined;
  /** The resource and where the manifests have it, where it is one. */
  readonly address?: Address | undefined;
  readonly source?: string | undefined;
}

/** What a person has to do about pending changes, commands between backticks; empty where an approval is all they need, or where they have a choice, which `manualChoices` has. */
export function pendingAdvice({ reason, dir, address, source }: PendingGroup): string {
  switch (reason) {
    case 'protected':
      return 'To keep the resource, revert the change. To delete or replace the resource: restore its manifest, set `lifecycle.protect: false` in the manifest, push only this edit, and push the change again after this edit is applied.';
    case 'unresolved':
      return `Check in the service whether the resource exists. If it exists, run \`${sluiceCommand(dir, ['state', 'resolve'])} ADDRESS --id ID\`; if not, replace \`--id ID\` with \`--absent\`.`;
    case 'refused':
      return `Correct ${address === undefined ? 'the manifest' : `${address}${source === undefined ? '' : ` at \`${source}\``}`}, or what it refers to in the account. Until then, the service refuses each attempt.`;
    case 'operator-policy':
      return 'Ask the operator of this watch to allow the change, or revert the change.';
    case 'contains-unmanaged':
      return 'In the service, delete the unmanaged resources inside this resource; or import them, or revert the change.';
    case 'plan-error':
      return 'Correct the error that the message of the change describes.';
    case 'approval':
    case 'manual':
    case 'retry':
    case 'drift-conflict':
    case 'other-stack':
    case 'dependency':
      return '';
  }
}

/** How often sluice has repaired what something else changed back each time; an empty pointer is the whole resource. */
export function conflictSummary({ pointer, count }: Pick<DriftConflict, 'pointer' | 'count'>): string {
  const times = counted(count, 'time');
  return pointer === ''
    ? `sluice created the resource again ${times}, and something else deleted it each time`
    : `sluice repaired \`${pointer}\` ${times}, and something else changed it back each time`;
}

/** What to do about a drift conflict, with commands and names between backticks. */
export function conflictAdvice({ pointer }: Pick<DriftConflict, 'pointer'>): string {
  return pointer === ''
    ? 'Find what else deletes the resource, or remove its manifest. sluice creates the resource again once its manifest changes.'
    : 'Find what else changes the field, or add the field to `lifecycle.ignore`. sluice repairs the field again once the manifest of the resource changes.';
}
