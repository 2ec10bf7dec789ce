import type { Address } from '../model/address.ts';
import type { ChangeOutcome } from '../model/outcome.ts';
import { hazardsByChange } from '../model/plan/plan.ts';
import type { PendingChange } from '../model/status/watch-status.ts';
import type { Controller } from './controller.ts';
import { afterFailure, type ApplicableChanges, type HeldBackChange } from './decide/select-applicable.ts';
import { messageOf } from './decide/outcome-message.ts';
import type { FailureDetails } from './failures.ts';
import type { Ports } from './ports.ts';

/** The failures of a running apply, recorded as they happen: whoever has to act need not wait for the end of a long apply. */
export class ApplyFailures {
  readonly #controller: Controller;
  readonly #show: Ports['show'];
  readonly #selection: ApplicableChanges;
  readonly #recorded = new Set<Address>();
  #fresh: ChangeOutcome[] = [];

  constructor(controller: Controller, selection: ApplicableChanges, { show }: Pick<Ports, 'show'>) {
    this.#controller = controller;
    this.#show = show;
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
    const shown = this.#show.changes(this.#selection.full);
    const { failures } = this.#controller;
    for (const change of this.#fresh)
      failures.record(change.address, { ...detailsOf(change), ...differenceOf(shown(change.address)) });
    this.#controller.addPending(this.pendingOf(this.#fresh), this.#selection.full);
    this.#fresh = [];
  }

  /** Those of the changes that have failed and are not due again, as pending changes. */
  pendingOf(changes: readonly ChangeOutcome[]): readonly HeldBackChange[] {
    const hazards = hazardsByChange(this.#selection.full.hazards);
    return changes.flatMap(({ address, action }) => {
      const failure = this.#controller.failures.awaitingRetry(address);
      const cause = this.#selection.causes.get(address);
      return failure === undefined
        ? []
        : [
            {
              address,
              action,
              hazards: hazards.get(address) ?? [],
              ...(cause === undefined ? {} : { cause }),
              ...afterFailure(failure),
            },
          ];
    });
  }
}

/** Whether a change failed, or may have. */
export function isFailed({ ending }: ChangeOutcome): boolean {
  return ending === 'failed' || ending === 'unknown';
}

function differenceOf({ details }: Pick<PendingChange, 'details'>): Pick<FailureDetails, 'details'> {
  return details === '' ? {} : { details };
}

function detailsOf(change: ChangeOutcome): FailureDetails {
  const { code = 'CHANGE_FAILED', status, ending } = change;
  // If a request may have been carried out, its status proves nothing.
  return { code, message: messageOf(change), ...(status === undefined || ending === 'unknown' ? {} : { status }) };
}
