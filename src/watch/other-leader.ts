import type { SeenStack, WatchStatus } from '../model/watch-status.ts';
import type { KeptDocument } from '../state/kept-document.ts';
import { readWatchState } from './watch-state.ts';

// A sign of the leader is published at most so often.
const leastBetweenSignsMs = 1_000;

/** What a standby knows of the process that is the leader. */
export class OtherLeader {
  readonly name: string;
  #url: string | undefined;
  #sign: number | undefined;
  #seen: SeenStack | undefined;

  constructor(name: string) {
    this.name = name;
  }

  /** What a status says about it. */
  get facts(): Pick<WatchStatus, 'leader' | 'leaderUrl' | 'leaderSign' | 'leaderSeen'> {
    return {
      leader: this.name,
      ...(this.#url === undefined ? {} : { leaderUrl: this.#url }),
      ...(this.#sign === undefined ? {} : { leaderSign: this.#sign }),
      ...(this.#seen === undefined ? {} : { leaderSeen: this.#seen }),
    };
  }

  /** Reads where its status page is, and how the stack was when it last wrote that down. */
  async read(document: KeptDocument): Promise<void> {
    const { url, seen } = await readWatchState(document);
    this.#url = url;
    this.#seen = seen;
  }

  /** Notes that it gave a sign; whether that is worth to be published. */
  gaveSign(at: number): boolean {
    if (this.#sign !== undefined && at < this.#sign + leastBetweenSignsMs) return false;
    this.#sign = at;
    return true;
  }
}
