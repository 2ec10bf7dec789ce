import { Refused } from '../../../diagnostics/errors.ts';
import { quoted } from '../../../diagnostics/quoted.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Address } from '../../../model/address.ts';
import { mustBeIdArgument, suggestAddress, UsageError } from '../../../stack/usage-error.ts';
import { approveAndApply, type ApprovalFlags } from '../../approval/approve-and-apply.ts';
import type { Context } from '../../context.ts';
import { loadDesired, type DesiredScope } from '../../../stack/plan/load-desired.ts';
import { makePlan } from '../../../stack/plan/make-plan.ts';
import { withWorkspace } from '../../with-workspace.ts';
import { addressOfWord } from '../../usage/kind-named.ts';

/** How to import, and what is approved in advance. */
export interface ImportFlags extends ApprovalFlags {
  readonly file?: readonly string[];
  readonly adoptFrom?: string;
  readonly allow?: readonly string[];
  readonly parallelism: number;
}

/** Imports a live resource to an address that the manifests define, like `lifecycle.adopt`. */
export async function importResource(context: Context, word: string, id: string, flags: ImportFlags): Promise<number> {
  const address = addressOfWord(word);
  mustBeIdArgument(id);
  return withWorkspace(context, { ...flags, command: 'import', writes: true }, async (workspace) => {
    const scope = { ...flags, target: [address], acceptUnmatched: true };
    const wanted = adopting(await loadDesired(context, workspace, scope, 'error'), address, id, flags.adoptFrom);
    const planned = await makePlan(context, workspace, wanted, flags);
    const change = planned.plan.changes.find((one) => one.address === address);
    if (change?.action === 'adopt') return approveAndApply(context, workspace, planned, flags, 'Import this resource?');
    if (change?.id !== id)
      throw new Refused(
        'ADDRESS_IN_USE',
        `${safeText(address)} already manages ${change?.id === undefined ? 'another resource' : `the resource ${safeText(change.id, 80)}`}`,
        {
          hint: 'add a separate manifest for the resource to import',
        },
      );
    context.log('info', alreadyManages(address, id));
    return context.done('', { imported: { address, id } });
  });
}

/** The desired resource of one address, set to adopt a live id. */
function adopting(
  { desired, described, ...read }: DesiredScope,
  address: Address,
  id: string,
  adoptFrom: string | undefined,
): DesiredScope {
  mustBeDefined(address, described);
  const lifecycle = { adopt: id, ...(adoptFrom === undefined ? {} : { adopt_from: adoptFrom }) };
  const resources = desired.resources.map((one) => ({ ...one, lifecycle: { ...one.lifecycle, ...lifecycle } }));
  return { ...read, desired: { ...desired, resources }, described, removedTargets: [] };
}

/** Throws unless the manifests define the address, or one that the pattern matches. */
export function mustBeDefined(
  pattern: string,
  defined: readonly Address[],
  matches: (address: Address) => boolean = (address) => address === pattern,
): void {
  if (defined.some(matches)) return;
  throw new UsageError(
    `the manifests do not define ${quoted(pattern, 200)}`,
    suggestAddress(pattern, defined) ?? 'add a manifest; `sluice export` writes one for a live resource',
  );
}

/** What an import says of an address that manages the resource already. */
export function alreadyManages(address: Address, id: string): string {
  return `${safeText(address)} already manages the resource ${safeText(id, 80)}. Nothing was changed.`;
}
