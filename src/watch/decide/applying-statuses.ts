import type { Address } from '../../model/address.ts';
import { isRemoval } from '../../model/plan/plan.ts';
import { messageOf } from './outcome-message.ts';
import type { ApplyEvent } from '../../model/outcome.ts';
import type { ResourceStatus } from '../../model/status/watch-status.ts';

/** The statuses of all resources while changes are applied. Each event changes one of them. */
export class ApplyingStatuses {
  readonly #before: readonly ResourceStatus[];
  readonly #now: (ResourceStatus | undefined)[];
  readonly #at: ReadonlyMap<Address, number>;

  constructor(before: readonly ResourceStatus[]) {
    this.#before = before;
    this.#now = [...before];
    this.#at = new Map(before.map(({ address }, index) => [address, index]));
  }

  get all(): readonly ResourceStatus[] {
    return this.#now.filter((one) => one !== undefined);
  }

  record(event: ApplyEvent): void {
    if (event.type === 'started') this.#set(event.address, (one) => ({ ...one, syncStatus: 'applying' }));
    if (event.type !== 'finished') return;
    const { address, action, ending } = event.outcome;
    this.#set(address, (one) => {
      if (ending === 'failed' || ending === 'unknown')
        return { ...one, syncStatus: 'failed', note: messageOf(event.outcome) };
      if (ending !== 'done') return one;
      return isRemoval(action) ? undefined : settled(one);
    });
  }

  #set(address: Address, after: (before: ResourceStatus) => ResourceStatus | undefined): void {
    const at = this.#at.get(address) ?? -1;
    const before = this.#before[at];
    if (before !== undefined) this.#now[at] = after(before);
  }
}

/** A resource whose change is done depends on what was wanted. */
function settled({ addedDependencies: _, removedDependencies: removed = [], ...rest }: ResourceStatus): ResourceStatus {
  const syncStatus = rest.syncStatus === 'out-of-sync' ? 'in-sync' : rest.syncStatus;
  return { ...rest, syncStatus, dependsOn: rest.dependsOn.filter((one) => !removed.includes(one)) };
}
