import type { Address } from '../../model/address.ts';
import { isRemoval } from '../../model/plan/plan.ts';
import { messageOf } from './outcome-message.ts';
import type { ApplyEvent } from '../../model/outcome.ts';
import type { ResourceStatus, SyncStatus } from '../../model/status/watch-status.ts';

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
    if (event.type === 'started') this.#set(event.address, () => 'applying');
    else if (event.type === 'finished') {
      const { address, action, ending } = event.outcome;
      if (ending === 'done' && isRemoval(action)) this.#remove(address);
      else if (ending === 'failed' || ending === 'unknown')
        this.#set(
          address,
          () => 'failed',
          (one) => ({ ...one, note: messageOf(event.outcome) }),
        );
      else if (ending === 'done')
        this.#set(address, (before) => (before === 'out-of-sync' ? 'in-sync' : before), settled);
      else this.#set(address, (before) => before);
    }
  }

  #remove(address: Address): void {
    const at = this.#at.get(address);
    if (at !== undefined) this.#now[at] = undefined;
  }

  #set(
    address: Address,
    statusAfter: (before: SyncStatus) => SyncStatus,
    factsAfter: (before: ResourceStatus) => ResourceStatus = (before) => before,
  ): void {
    const at = this.#at.get(address);
    const before = at === undefined ? undefined : this.#before[at];
    if (at !== undefined && before !== undefined)
      this.#now[at] = { ...factsAfter(before), syncStatus: statusAfter(before.syncStatus) };
  }
}

/** A resource whose change is done depends on what was wanted. */
function settled({ addedDependencies: _, removedDependencies: removed = [], ...rest }: ResourceStatus): ResourceStatus {
  return { ...rest, dependsOn: rest.dependsOn.filter((one) => !removed.includes(one)) };
}
