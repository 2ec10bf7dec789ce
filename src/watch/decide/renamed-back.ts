import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { PlanInput } from '../../plan/input.ts';
import type { SyncBlocker } from './sync-policy.ts';

/**
 * Creations that wait while manifests have errors. Nothing is deleted then, so that no plan reports MOVED_FROM_MISSING: what had the
 * address before would be created a second time now, and the plan after the errors would delete the first.
 */
export function renamedBack(full: Plan, { desired, state, account }: PlanInput): ReadonlyMap<Address, SyncBlocker> {
  if (desired.complete) return new Map();
  const there = new Set([
    ...desired.resources.map(({ address }) => address),
    ...full.changes.flatMap(({ movedFrom }) => (movedFrom === undefined ? [] : [movedFrom])),
  ]);
  const latest = new Map(
    Object.entries(state?.entries ?? {}).flatMap(([address, { formerAddresses = [] }]): [Address, Address][] =>
      there.has(address) || !account.ours.has(address) ? [] : formerAddresses.map((former) => [former, address]),
    ),
  );
  return new Map(
    full.changes.flatMap(({ address, action }): [Address, SyncBlocker][] => {
      const lost = action === 'create' ? latest.get(address) : undefined;
      return lost === undefined ? [] : [[address, { reason: 'plan-error', message: messageOf(lost) }]];
    }),
  );
}

function messageOf(lost: Address): string {
  return `${lost} had this address before and has no valid manifest now; no second resource is created while manifests have errors (to rename ${lost}, set \`lifecycle: {moved_from: ${lost}}\`)`;
}
