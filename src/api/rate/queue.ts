import { SluiceError } from '../../diagnostics/errors.ts';
import { aborted, type Clock } from '../clock.ts';

/** What a request brings to the queue, and what the queue records of it. */
export interface QueueTicket {
  /** It was refused before, and comes before those that were not. */
  readonly isRepeat: boolean;
  /** Called with how long it waited for others, without the time for which the service asked everybody to wait. */
  readonly queued: (ms: number) => void;
  /** It leaves the queue with `QueuedTooLong` after waiting for so long, not counting what `queued` counts. */
  readonly mostMs?: number;
}

/** A request has left the queue, because its time is over. */
export class QueuedTooLong extends SluiceError {
  constructor() {
    super('API_REFUSED', 'the service keeps answering requests with 429 (Too Many Requests)');
  }
}

/** When the next request may leave a queue. */
export interface Gate {
  /** At most 0: now. Infinity: not before something has changed. */
  readonly waitMs: () => number;
  /** For how long so far the service has asked everybody to wait. */
  readonly heldMs: () => number;
  /** How many requests have passed so far. */
  readonly passed: () => number;
}

interface Waiting {
  readonly go: () => void;
  readonly leave: (reason: Error) => void;
  readonly leftMs: () => number;
}

// Left out, each call would make an error with its stack, which costs more than all else here.
const noReason = null;

/** Makes a queue before a gate. Requests wait in it to be sent: repeated ones first, then first come first served. */
export function createQueue(clock: Clock, gate: Gate) {
  const lanes: { readonly repeated: Waiting[]; readonly fresh: Waiting[] } = { repeated: [], fresh: [] };
  let isServing = false;
  let wake = new AbortController();

  async function serve(): Promise<void> {
    isServing = true;
    while (lanes.repeated.length + lanes.fresh.length > 0) {
      const gateMs = gate.waitMs();
      if (gateMs <= 0) {
        (lanes.repeated.shift() ?? lanes.fresh.shift())?.go();
        continue;
      }
      for (const one of lanes.repeated.filter(({ leftMs }) => leftMs() <= 0)) one.leave(new QueuedTooLong());
      const wait = lanes.repeated.reduce((least, { leftMs }) => Math.min(least, leftMs()), gateMs);
      wake = new AbortController();
      if (wait < Infinity) await clock.sleep(wait, wake.signal).catch(() => undefined);
      else await aborted(wake.signal);
    }
    isServing = false;
  }

  return {
    /** Calls `begin` when the request may start, and resolves to its result. */
    join: <T>(begin: () => T, signal: AbortSignal | undefined, place: QueueTicket | undefined): Promise<T> => {
      const [at, heldAt, passedAt] = [clock.now(), gate.heldMs(), gate.passed()];
      const lane = place?.isRepeat === true ? lanes.repeated : lanes.fresh;
      // Where nothing passes, nobody waits for others.
      const behindOthers = (): number =>
        gate.passed() === passedAt ? 0 : Math.max(0, clock.now() - at - (gate.heldMs() - heldAt));
      return new Promise((resolve, reject) => {
        const interrupted = (): void => waiting.leave(signal?.reason as Error);
        const waiting: Waiting = {
          go: () => {
            signal?.removeEventListener('abort', interrupted);
            place?.queued(behindOthers());
            resolve(begin());
          },
          leave: (reason) => {
            signal?.removeEventListener('abort', interrupted);
            lane.splice(lane.indexOf(waiting), 1);
            // Where nobody waits any more, its timer would keep the process from ending.
            wake.abort(noReason);
            reject(reason);
          },
          leftMs: () => (place?.mostMs ?? Infinity) - (clock.now() - at - behindOthers()),
        };
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        signal?.addEventListener('abort', interrupted, { once: true });
        lane.push(waiting);
        if (isServing) wake.abort(noReason);
        else void serve();
      });
    },
    /** Something has changed at the gate. */
    changed: () => wake.abort(noReason),
    /** How many repeated requests wait. */
    repeated: () => lanes.repeated.length,
  };
}
