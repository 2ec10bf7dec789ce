import type { Address } from '../../model/address.ts';
import type { ApplyEvent } from '../../model/outcome.ts';
import type { Plan } from '../../model/plan/plan.ts';
import type { RunningChange } from '../../model/watch-status.ts';

/** The changes of a plan while it is applied. Each event moves one of them on. */
export class ApplyingChanges {
  readonly #now: RunningChange[];
  readonly #at: ReadonlyMap<Address, number>;
  #ended = 0;

  constructor({ changes }: Plan) {
    this.#now = changes.flatMap(({ address, action }) =>
      action === 'none' ? [] : [{ address, action, progress: 'to-do' as const }],
    );
    this.#at = new Map(this.#now.map(({ address }, index) => [address, index]));
  }

  get all(): readonly RunningChange[] {
    return [...this.#now];
  }

  /** How many have ended. */
  get ended(): number {
    return this.#ended;
  }

  record(event: ApplyEvent): void {
    if (event.type === 'started') this.#set(event.address, 'running');
    if (event.type !== 'finished') return;
    this.#ended += 1;
    this.#set(event.outcome.address, event.outcome.ending === 'done' ? 'done' : 'failed');
  }

  #set(address: Address, progress: RunningChange['progress']): void {
    const at = this.#at.get(address);
    const before = at === undefined ? undefined : this.#now[at];
    if (at !== undefined && before !== undefined) this.#now[at] = { ...before, progress };
  }
}
