import type { Clock } from '../clock.ts';

/** What a request brings to the queue, and what the queue records of it. */
export interface QueueTicket {
  /** It was refused before, and comes before those that were not. */
  readonly isRepeat: boolean;
  /** Called with how long it waited for others, without the time for which the service asked everybody to wait. */
  readonly queued: (ms: number) => void;
}

/** When the next request may leave a queue. */
export interface Gate {
  /** At most 0: now. Infinity: not before something has changed. */
  readonly waitMs: () => number;
  /** For how long so far the service has asked everybody to wait. */
  readonly heldMs: () => number;
}

/** Requests that wait to be sent: repeated ones first, then first come first served. */
export interface Queue {
  /** Calls `begin` when the request may start, and resolves to its result. */
  readonly join: <T>(begin: () => T, signal: AbortSignal | undefined, place: QueueTicket | undefined) => Promise<T>;
  /** Something has changed at the gate. */
  readonly changed: () => void;
  /** How many repeated requests wait. */
  readonly repeated: () => number;
}

/** Makes a queue before a gate. */
export function createQueue(clock: Clock, gate: Gate): Queue {
  const lanes: { readonly repeated: (() => void)[]; readonly fresh: (() => void)[] } = { repeated: [], fresh: [] };
  let isServing = false;
  let wake = new AbortController();

  async function serve(): Promise<void> {
    isServing = true;
    while (lanes.repeated.length + lanes.fresh.length > 0) {
      const wait = gate.waitMs();
      if (wait <= 0) {
        (lanes.repeated.shift() ?? lanes.fresh.shift())?.();
        continue;
      }
      wake = new AbortController();
      if (wait < Infinity) await clock.sleep(wait, wake.signal).catch(() => undefined);
      else await new Promise((resolve) => wake.signal.addEventListener('abort', resolve, { once: true }));
    }
    isServing = false;
  }

  return {
    join: (begin, signal, place) => {
      const [at, heldAt] = [clock.now(), gate.heldMs()];
      const lane = place?.isRepeat === true ? lanes.repeated : lanes.fresh;
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          lane.splice(lane.indexOf(go), 1);
          reject(signal?.reason as Error);
        };
        const go = (): void => {
          signal?.removeEventListener('abort', leave);
          place?.queued(Math.max(0, clock.now() - at - (gate.heldMs() - heldAt)));
          resolve(begin());
        };
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        signal?.addEventListener('abort', leave, { once: true });
        lane.push(go);
        if (!isServing) void serve();
      });
    },
    changed: () => wake.abort(),
    repeated: () => lanes.repeated.length,
  };
}
