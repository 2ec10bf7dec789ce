import { kinds } from '../../kinds/index.ts';
import type { AccessComparison, AccessSide, ComparedAccess } from '../../model/exposure/access-comparison.ts';
import { type Change, isReplacement } from '../../model/plan/plan.ts';
import type { Sliced } from '../../model/sliced.ts';
import { comparedAccessInSteps } from '../../plan/access-policy/compare-access.ts';
import { plannedRouting, type PlannedRouting } from '../../plan/access-policy/planned-routing.ts';
import type { ApplicableChanges } from './select-applicable.ts';

/** Who can reach what once the changes that may be applied now are done, and who can after an approval of the others; `routing` is that of the full plan. */
export function* accessIfApproved(
  { full, plan, unapproved, follows, decided, decidedIfApproved, failsIfApproved }: ApplicableChanges,
  routing: PlannedRouting,
): Sliced<AccessComparison | undefined> {
  if (failsIfApproved === true) return undefined;
  const after = decidedIfApproved === undefined ? routing : plannedRouting(decidedIfApproved);
  yield;
  const before =
    plan.steps.length === 0 ? routing.now : decided === undefined ? routing.planned : plannedRouting(decided).planned;
  const changed = new Set([...unapproved.keys(), ...follows]);
  const changes = full.changes.filter(({ address }) => changed.has(address));
  return yield* comparedAccessInSteps({ before, plan: after, changed, addresses: changes.flatMap(addressOf) });
}

const nobody: AccessSide = { audience: 'nobody', who: 'nobody' };

/** What becomes of the address at which clients arrive without an edge. */
function addressOf({ kind, action, shows, desired }: Change): ComparedAccess[] {
  const address = kinds.named(kind)?.clientAddress;
  if (address === undefined) return [];
  const known = action === 'create' ? desired?.[address.by] : shows[address.by];
  const url = typeof known === 'string' && known !== '' ? known : 'an address that the service assigns';
  const reached: AccessSide = { audience: 'outside', who: address.reachedBy };
  const row = { urls: [url], total: 1 };
  if (action === 'create') return [{ ...row, effect: 'new', now: nobody, after: reached }];
  // A replacement is assigned another one.
  return action === 'delete' || isReplacement(action) ? [{ ...row, effect: 'gone', now: reached, after: nobody }] : [];
}
