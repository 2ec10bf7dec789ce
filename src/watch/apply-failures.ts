import type { Address } from '../model/address.ts';
import type { ChangeOutcome } from '../model/outcome.ts';
import { hazardsByChange } from '../model/plan/plan.ts';
import { present } from '../model/present.ts';
import type { Controller } from './controller.ts';
import { afterFailure, type ApplicableChanges, type HeldBackChange } from './decide/select-applicable.ts';
import { messageOf } from './decide/outcome-message.ts';
import type { FailureDetails } from './failures.ts';
import { shownChanges } from './shown-by-watch.ts';

/** The failures of a running apply, recorded as they happen: whoever has to act need not wait for the end of a long apply. */
export class ApplyFailures {
  readonly #controller: Controller;
  readonly #selection: ApplicableChanges;
  readonly #recorded = new Set<Address>();
  #fresh: ChangeOutcome[] = [];

  constructor(controller: Controller, selection: ApplicableChanges) {
    this.#controller = controller;
    this.#selection = selection;
  }

  /** Takes how a change ended, if it failed and was not taken before. */
  take(change: ChangeOutcome): void {
    if (!isFailed(change) || this.#recorded.has(change.address)) return;
    this.#recorded.add(change.address);
    this.#fresh.push(change);
  }

  /** Schedules the retries of what was taken; each is pending until then. Publishes nothing. */
  record(): void {
    if (this.#fresh.length === 0) return;
    const shown = shownChanges(this.#selection.full);
    const { failures, pending, revision } = this.#controller;
    for (const change of this.#fresh) failures.record(change.address, detailsOf(change, shown(change.address).details));
    pending.add(this.pendingOf(this.#fresh), this.#selection.full, revision);
    this.#fresh = [];
  }

  /** Those of the changes that have failed and are not due again, as pending changes. */
  pendingOf(changes: readonly ChangeOutcome[]): readonly HeldBackChange[] {
    const hazards = hazardsByChange(this.#selection.full.hazards);
    return changes.flatMap(({ address, action }) => {
      const failure = this.#controller.failures.awaitingRetry(address);
      const cause = this.#selection.causes.get(address);
      if (failure === undefined) return [];
      return [present({ address, action, hazards: hazards.get(address) ?? [], cause, ...afterFailure(failure) })];
    });
  }
}

/** Whether a change failed, or may have. */
export function isFailed({ ending }: ChangeOutcome): boolean {
  return ending === 'failed' || ending === 'unknown';
}

function detailsOf(change: ChangeOutcome, difference: string): FailureDetails {
  const { code = 'CHANGE_FAILED', ending } = change;
  // If a request may have been carried out, its status proves nothing.
  const status = ending === 'unknown' ? undefined : change.status;
  return present({ code, message: messageOf(change), status, details: difference === '' ? undefined : difference });
}
