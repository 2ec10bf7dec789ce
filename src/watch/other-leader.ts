import type { RecordedStatus, WatchStatus } from '../model/watch-status.ts';
import type { KeptDocument } from '../state/kept-document.ts';
import { present } from '../model/present.ts';
import { readWatchState } from './watch-state.ts';

// A heartbeat of the leader is published at most so often.
const leastBetweenMs = 1_000;

/** What a standby knows of the process that is the leader. */
export class OtherLeader {
  readonly name: string;
  #url: string | undefined;
  #heartbeat: number | undefined;
  #recorded: RecordedStatus | undefined;

  constructor(name: string) {
    this.name = name;
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

  /** Reads where its status page is, and the status that it recorded last. */
  async read(document: KeptDocument): Promise<void> {
    const { url, recorded } = await readWatchState(document);
    this.#url = url;
    this.#recorded = recorded;
  }

  /** Notes that it has sent a heartbeat; whether that has to be published. */
  sentHeartbeat(at: number): boolean {
    if (this.#heartbeat !== undefined && at < this.#heartbeat + leastBetweenMs) return false;
    this.#heartbeat = at;
    return true;
  }
}
