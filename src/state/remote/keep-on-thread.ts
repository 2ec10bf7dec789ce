import { LastRefusal, type HeartbeatRefusal } from './heartbeat-refusal.ts';
import type { HeartbeatStart } from './heartbeat-start.ts';
import type { KeptLease } from './kept-lease.ts';
import type { LeaseFacts } from './lease-keeper.ts';
import { startTask } from '../lease/lease-thread.ts';
import { machineTime } from '../lease/lease-time.ts';
import { LeaseWindow, windowBytes } from '../lease/lease-window.ts';

/** Has a thread send the heartbeats of a lease. If the thread fails, nothing more is written, and the lease expires. */
export function keepOnThread(url: URL, start: Omit<HeartbeatStart, 'shared'>): Promise<KeptLease> {
  const shared = new SharedArrayBuffer(windowBytes);
  const window = new LeaseWindow(start.timing, machineTime, shared);
  window.sign();
  window.confirm(start.taken.sentAt);
  const refusal = new LastRefusal(start.timing, machineTime);
  const task = startTask<LeaseFacts>(url, { ...start, shared } satisfies HeartbeatStart, (one) =>
    refusal.note(one as HeartbeatRefusal),
  );
  return Promise.resolve({
    window,
    refusal,
    note: (facts) => task.notify(facts),
    // A store that does not answer must not keep a run from ending: the lease expires.
    release: async () => {
      await task.end();
      window.lose();
    },
  });
}
