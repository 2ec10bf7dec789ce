import { Worker } from 'node:worker_threads';
import type { HeartbeatMessage, HeartbeatStart } from './heartbeat-messages.ts';
import type { KeptLease } from './kept-lease.ts';
import { machineTime } from '../lease/lease-time.ts';
import { LeaseWindow, windowBytes } from '../lease/lease-window.ts';

// A store that does not answer keeps no run from ending: the lease ends by itself.
const mostReleaseMs = 5_000;

/** Has a thread send the heartbeats of a lease. Should the thread fail, nothing is written any more, and the lease ends by itself. */
export function keepOnThread(url: URL, start: Omit<HeartbeatStart, 'shared'>): Promise<KeptLease> {
  const shared = new SharedArrayBuffer(windowBytes);
  const window = new LeaseWindow(start.timing, machineTime, shared);
  window.sign();
  window.confirm(start.taken.sentAt);
  const worker = new Worker(url, { workerData: { ...start, shared } satisfies HeartbeatStart, env: {}, execArgv: [] });
  const ended = new Promise<void>((resolve) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => resolve());
    worker.once('error', () => resolve());
  });
  const send = (message: HeartbeatMessage): void => worker.postMessage(message);
  return Promise.resolve({
    window,
    note: (note) => send({ note }),
    release: async () => {
      send({ release: true });
      const waiting = new AbortController();
      await Promise.race([ended, machineTime.sleep(mostReleaseMs, waiting.signal).catch(() => undefined)]);
      waiting.abort();
      window.lose();
      await worker.terminate();
    },
  });
}
