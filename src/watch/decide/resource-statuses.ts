import { inNaturalOrder } from '../../model/natural-order.ts';
import { placeText } from '../../diagnostics/diagnostic.ts';
import type { Address } from '../../model/address.ts';
import { isRemoval } from '../../model/plan/plan.ts';
import { mapSliced, sortSliced, type Sliced } from '../../model/sliced.ts';
import type { ResourceStatus, SyncStatus, PendingChange } from '../../model/status/watch-status.ts';
import type { PlanInput } from '../../plan/input.ts';
import { dependenciesOf } from './resource-dependencies.ts';
import { changedBy, type ApplicableChanges } from './select-applicable.ts';

/** Facts about resources beside the refreshed account. */
export interface StatusInputs extends Pick<ApplicableChanges, 'plan' | 'drifted'> {
  readonly pending: readonly PendingChange[];
  /** Applied since the refresh. */
  readonly done: ReadonlySet<Address>;
}

/** The addresses of all resources of the stack, wanted or there, in the order in which people read them. */
export function* addressesInOrder({ desired, account }: PlanInput): Sliced<Address[]> {
  const all = new Set([...desired.resources.map(({ address }) => address), ...account.ours.keys()]);
  yield;
  return yield* sortSliced([...all], inNaturalOrder);
}

/** The status of every resource of these addresses that has not been deleted since the refresh. */
export function* resourceStatuses(
  input: PlanInput,
  addresses: readonly Address[],
  known: StatusInputs,
): Sliced<ResourceStatus[]> {
  const pending = new Map(known.pending.map((one) => [one.address, one]));
  const changing = changedBy(known.plan);
  const wanted = new Map(input.desired.resources.map((desired) => [desired.address, desired]));
  const addressOfId = new Map([...input.account.ours].map(([address, { id }]) => [id, address]));
  yield;
  const removed = known.plan.changes.filter(({ address, action }) => isRemoval(action) && known.done.has(address));
  const gone = new Set(removed.map(({ address }) => address));
  const there = gone.size === 0 ? addresses : addresses.filter((one) => !gone.has(one));
  return yield* mapSliced(there, (address) => {
    const desired = wanted.get(address);
    const actual = input.account.ours.get(address);
    const wait = pending.get(address);
    const kind = desired?.kind ?? actual?.kind ?? '';
    const end = input.kinds.named(kind)?.renewal;
    const ends = end === undefined ? undefined : actual?.spec[end.expiryField];
    const isChanging = changing.has(address) && !known.done.has(address);
    const expiresAt = typeof ends === 'string' ? Date.parse(ends) : Number.NaN;
    return {
      address,
      kind,
      syncStatus: syncStatusOf(wait, {
        isChanging,
        isDrifted: (known.drifted.get(address)?.size ?? 0) > 0,
      }),
      ...(wait === undefined ? {} : { note: wait.message }),
      ...dependenciesOf({ desired, actual, isChanging: isChanging || wait !== undefined }, addressOfId, input.kinds),
      ...(desired === undefined ? {} : { source: placeText(desired.place) }),
      ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
    };
  });
}

/** The status of a resource: of its pending change, if it has one, or of one that is about to be applied. */
export function syncStatusOf(
  wait: Pick<PendingChange, 'reason'> | undefined,
  { isChanging = false, isDrifted = false }: { readonly isChanging?: boolean; readonly isDrifted?: boolean },
): SyncStatus {
  if (wait === undefined) return isChanging ? 'out-of-sync' : 'in-sync';
  return wait.reason === 'manual' && isDrifted ? 'drifted' : ofReason[wait.reason];
}

const ofReason: Readonly<Record<PendingChange['reason'], SyncStatus>> = {
  approval: 'requires-approval',
  manual: 'requires-manual-apply',
  protected: 'blocked',
  'operator-policy': 'blocked',
  'contains-unmanaged': 'blocked',
  unresolved: 'blocked',
  'plan-error': 'blocked',
  refused: 'failed',
  'drift-conflict': 'drift-conflict',
  retry: 'failed',
  'other-stack': 'waiting',
  dependency: 'waiting',
};
