import type { RecordedStatus, WatchStatus } from '../model/status/watch-status.ts';
import type { KeptDocument } from '../state/backend.ts';
import { present } from '../model/present.ts';
import type { Ports } from './ports.ts';
import { mustBeOfStack, readWatchState } from './watch-state.ts';

// A heartbeat of the leader is published at most so often.
const leastBetweenMs = 1_000;

/** Who holds the lock: another watch, or a command that a person or a pipeline runs. */
export interface Holder {
  readonly name: string;
  readonly isWatch: boolean;
}

/** Which stack the standby is for, and where its own status page is. */
type OwnWatch = Pick<Ports, 'stack' | 'url'>;

/** What a standby knows of the process that is the leader. */
export class OtherLeader {
  readonly name: string;
  readonly #isWatch: boolean;
  readonly #own: OwnWatch;
  #url: string | undefined;
  #heartbeat: number | undefined;
  #recorded: RecordedStatus | undefined;

  constructor({ name, isWatch }: Holder, own: OwnWatch) {
    this.name = name;
    this.#isWatch = isWatch;
    this.#own = own;
  }

  /** Its part of the status. */
  get facts(): Pick<WatchStatus, 'leader' | 'leaderUrl' | 'leaderHeartbeat' | 'leaderRecorded'> {
    return present({
      leader: this.name,
      leaderUrl: this.#url,
      leaderHeartbeat: this.#heartbeat,
      leaderRecorded: this.#recorded,
    });
  }

  /** Reads where its status page is, and the status that it recorded last. Where no watch is the leader, the last one has recorded that. Throws `Refused` if it is the watch of another stack. */
  async read(document: KeptDocument): Promise<void> {
    if (!this.#isWatch) return;
    const found = await readWatchState(document);
    mustBeOfStack(found, this.#own.stack.id, document);
    this.#url = found.url === this.#own.url ? undefined : found.url;
    this.#recorded = found.recorded;
  }

  /** Notes that it has sent a heartbeat; whether that has to be published. */
  sentHeartbeat(at: number): boolean {
    if (this.#heartbeat !== undefined && at < this.#heartbeat + leastBetweenMs) return false;
    this.#heartbeat = at;
    return true;
  }
}
