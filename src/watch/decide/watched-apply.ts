import type { Address } from '../../model/address.ts';
import type { ApplyEvent, ChangeOutcome, Ending } from '../../model/outcome.ts';
import { isRemoval, type Change, type Plan } from '../../model/plan/plan.ts';
import { present } from '../../model/present.ts';
import type { ResourceStatus, RunningChange } from '../../model/status/watch-status.ts';
import { messageOf } from './outcome-message.ts';

// A page shows no more that have not started.
const mostDetailed = 10;

/** How far an apply has got: the progress of its changes and the statuses of all resources follow from that. */
export class WatchedApply {
  readonly #changes: readonly Change[];
  readonly #before: readonly ResourceStatus[];
  readonly #detailsOf: (address: Address) => string;
  /** Of each change that has started: that it runs, or how it ended. */
  readonly #seen = new Map<Address, 'running' | ChangeOutcome>();

  constructor({ changes }: Plan, before: readonly ResourceStatus[], detailsOf: (address: Address) => string) {
    this.#changes = changes.filter(({ action }) => action !== 'none');
    this.#before = before;
    this.#detailsOf = detailsOf;
  }

  record(event: ApplyEvent): void {
    if (event.type === 'started') this.#seen.set(event.address, 'running');
    if (event.type === 'finished') this.#seen.set(event.outcome.address, event.outcome);
  }

  get changes(): readonly RunningChange[] {
    return this.#changes.map(({ address, action }, at): RunningChange => {
      const seen = this.#seen.get(address);
      if (typeof seen === 'object') return { address, action, ...endOf(seen) };
      const hasDetails = seen === 'running' || at < mostDetailed;
      const details = hasDetails ? { details: this.#detailsOf(address) } : {};
      return { address, action, progress: seen ?? 'to-do', ...details };
    });
  }

  get resources(): readonly ResourceStatus[] {
    return this.#before.flatMap((one) => {
      const seen = this.#seen.get(one.address);
      return seen === undefined ? one : statusAfter(one, seen);
    });
  }
}

const progressAfter: Readonly<Record<Ending, RunningChange['progress']>> = {
  done: 'done',
  failed: 'failed',
  unknown: 'failed',
  skipped: 'skipped',
  'not-started': 'skipped',
};

function endOf({ ending, failedDependency }: ChangeOutcome): Pick<RunningChange, 'progress' | 'failedDependency'> {
  return { progress: progressAfter[ending], ...present({ failedDependency }) };
}

/** The status of a resource once its change has started or ended; none where it was removed. */
function statusAfter(before: ResourceStatus, seen: 'running' | ChangeOutcome): ResourceStatus | [] {
  if (seen === 'running') return { ...before, syncStatus: 'applying' };
  const { ending, action } = seen;
  if (ending === 'failed' || ending === 'unknown') return { ...before, syncStatus: 'failed', note: messageOf(seen) };
  if (ending !== 'done') return before;
  return isRemoval(action) ? [] : settled(before);
}

/** A resource whose change is done depends on what was wanted. */
function settled({ addedDependencies: _, removedDependencies: removed = [], ...rest }: ResourceStatus): ResourceStatus {
  const syncStatus = rest.syncStatus === 'out-of-sync' ? 'in-sync' : rest.syncStatus;
  return { ...rest, syncStatus, dependsOn: rest.dependsOn.filter((one) => !removed.includes(one)) };
}
