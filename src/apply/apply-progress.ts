import type { Address } from '../model/address.ts';
import type { ApplyEvent, ChangeOutcome } from '../model/outcome.ts';
import type { Change, Plan, Step } from '../model/plan/plan.ts';
import { changeOutcomeOf } from './change-outcome.ts';
import type { StepResult } from './schedule.ts';

/** Emits one event for each change that ends: done with its last step, or failed with its first failed step. */
export class ApplyProgress {
  readonly #emit: (event: ApplyEvent) => void;
  readonly #isRepeated: boolean;
  readonly #left = new Map<Address, number>();
  readonly #begun = new Set<Address>();
  readonly #failed = new Set<Address>();
  #finished = 0;

  constructor({ changes, steps }: Plan, emit: (event: ApplyEvent) => void, isRepeated = false) {
    this.#emit = emit;
    this.#isRepeated = isRepeated;
    for (const { address, action } of changes) if (action === 'write-file') this.#left.set(address, 0);
    for (const { address } of steps) this.#left.set(address, (this.#left.get(address) ?? 0) + 1);
  }

  /** Whether a change takes any request at all. */
  takesRequests(address: Address): boolean {
    return (this.#left.get(address) ?? 0) > 0;
  }

  started({ address, id }: Step, { action }: Change): void {
    this.#emit({ type: 'started', address, action, step: id });
  }

  /** Counts a step whose request was carried out, and returns whether it was the last of its change. */
  carriedOut({ address }: Step): boolean {
    const left = (this.#left.get(address) ?? 1) - 1;
    this.#left.set(address, left);
    return left === 0;
  }

  /** Called when a step is done, and everything that follows from it. */
  stepDone({ address, action }: Change, id: string | undefined): StepResult {
    this.#begun.add(address);
    if (this.#left.get(address) === 0 && !this.#failed.has(address))
      this.#finish({ address, action, ending: 'done', ...(id === undefined ? {} : { id }) });
    return { ending: 'done' };
  }

  /** Called when a step has failed: its change fails too. */
  stepFailed(change: Change, id: string | undefined, result: StepResult): StepResult {
    if (!this.#failed.has(change.address)) {
      this.#failed.add(change.address);
      const before: StepResult[] = this.#begun.has(change.address) ? [{ ending: 'done' }] : [];
      this.#finish(changeOutcomeOf(change, [...before, result], id, this.#isRepeated));
    }
    return result;
  }

  #finish(outcome: ChangeOutcome): void {
    this.#finished += 1;
    this.#emit({ type: 'finished', outcome, done: this.#finished, total: this.#left.size });
  }
}
