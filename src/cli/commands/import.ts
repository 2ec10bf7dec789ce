import { Refused } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Address } from '../../model/address.ts';
import { carryOut, mustBeApprovable, type ApprovalFlags } from '../carry-out.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { loadDesired, type Wanted } from '../load-desired.ts';
import { meant } from '../meant.ts';
import { planNow } from '../plan-now.ts';
import { UsageError } from '../usage-error.ts';
import { mustBeIdArgument } from '../must-be-id.ts';
import { openWorkspace } from '../workspace.ts';

/** How to import, and what has been approved beforehand. */
export interface ImportFlags extends ApprovalFlags {
  readonly file?: readonly string[];
  /** The id of the stack that has given it up. */
  readonly adoptFrom?: string;
  readonly allow?: readonly string[];
  readonly parallelism: number;
}

/** Makes a live resource the one of an address that the manifests describe, as `lifecycle.adopt` there would. */
export async function importResource(
  context: Context,
  address: Address,
  id: string,
  flags: ImportFlags,
): Promise<number> {
  mustBeIdArgument(id);
  const workspace = await openWorkspace(context, {
    ...flags,
    command: 'import',
    writes: true,
    mayBegin: () => {
      mustBeApprovable(context, flags);
    },
  });
  try {
    const only = { target: [address], ...(flags.file === undefined ? {} : { file: flags.file }) };
    const wanted = adopting(await loadDesired(context, workspace, only, 'error'), address, id, flags.adoptFrom);
    const allow = flags.allow === undefined ? {} : { allow: flags.allow };
    const planned = await planNow(context, workspace, wanted, allow);
    const change = planned.plan.changes.find((one) => one.address === address);
    if (change?.action === 'adopt') return await carryOut(context, workspace, planned, flags, 'Import it?');
    if (change?.id !== id)
      throw new Refused('ADDRESS_TAKEN', `${safeText(address)} is ${safeText(change?.id ?? 'another', 80)} already`, {
        hint: 'give the one that is to be imported a manifest of its own',
      });
    context.log('info', `${safeText(address)} is ${safeText(id, 80)} already; nothing was done.`);
    context.result(
      () => '',
      () => ({ format_version: '1.0', imported: { address, id } }),
    );
    return exitCodes.done;
  } finally {
    await workspace.close();
  }
}

/** What the manifests want of one address, with the word that it is there under an id. */
function adopting({ desired, described }: Wanted, address: Address, id: string, adoptFrom: string | undefined): Wanted {
  if (!described.includes(address))
    throw new UsageError(
      `the manifests do not describe ${JSON.stringify(safeText(address, 200))}`,
      meant(address, described) ?? '`sluice export` writes a manifest of what is live',
    );
  const lifecycle = { adopt: id, ...(adoptFrom === undefined ? {} : { adopt_from: adoptFrom }) };
  const resources = desired.resources.map((one) => ({ ...one, lifecycle: { ...one.lifecycle, ...lifecycle } }));
  return { desired: { ...desired, resources }, described, gone: [] };
}
