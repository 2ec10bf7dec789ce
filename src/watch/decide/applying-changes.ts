import type { Address } from '../../model/address.ts';
import type { ApplyEvent, Ending } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { RunningChange } from '../../model/status/watch-status.ts';

// A page shows no more that have not started.
const mostDetailed = 10;

/** The changes of a plan while it is applied. Each event moves one of them on. */
export class ApplyingChanges {
  readonly #now: RunningChange[];
  readonly #detailsOf: (address: Address) => string;
  readonly #at: ReadonlyMap<Address, number>;

  constructor({ changes }: Plan, detailsOf: (address: Address) => string) {
    this.#detailsOf = detailsOf;
    const open = changes.filter(({ action }) => action !== 'none');
    this.#now = open.map(({ address, action }, at) => ({
      address,
      action,
      progress: 'to-do',
      ...(at < mostDetailed ? { details: detailsOf(address) } : {}),
    }));
    this.#at = new Map(this.#now.map(({ address }, index) => [address, index]));
  }

  get all(): readonly RunningChange[] {
    return [...this.#now];
  }

  record(event: ApplyEvent): void {
    if (event.type === 'started') this.#set(event.address, 'running');
    if (event.type !== 'finished') return;
    const { address, ending, failedDependency } = event.outcome;
    this.#set(address, progressAfter[ending], failedDependency);
  }

  #set(address: Address, progress: RunningChange['progress'], failedDependency?: Address): void {
    const at = this.#at.get(address);
    const before = at === undefined ? undefined : this.#now[at];
    if (at === undefined || before === undefined) return;
    const { details, ...facts } = before;
    this.#now[at] = {
      ...facts,
      progress,
      ...(progress === 'running' ? { details: details ?? this.#detailsOf(address) } : {}),
      ...(failedDependency === undefined ? {} : { failedDependency }),
    };
  }
}

const progressAfter: Readonly<Record<Ending, RunningChange['progress']>> = {
  done: 'done',
  failed: 'failed',
  unknown: 'failed',
  skipped: 'skipped',
  'not-started': 'skipped',
};
