/*
 * The thread that sends the heartbeats of locks in files, so that they go on while the main thread is busy. Once the main
 * thread has not responded for too long, it sends none. It ends with the process, or when the last lock is released.
 */
import { clearInterval, setInterval } from 'node:timers';
import { machineTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { LeaseWindow } from '../lease/lease-window.ts';
import { serveTasks } from '../lease/thread-tasks.ts';
import { lockHeartbeat, openOwnLock, type LockHeartbeatOptions } from './lock-heartbeat.ts';

/** What the heartbeats of a lock begin with. */
export interface LockThreadStart extends Pick<LockHeartbeatOptions, 'lease' | 'lapses'> {
  readonly path: string;
  readonly timing: LeaseTiming;
  /** The memory of the window. */
  readonly shared: SharedArrayBuffer;
}

serveTasks<never>(async (start) => {
  const { path, lease, lapses, timing, shared } = start as LockThreadStart;
  const file = await openOwnLock(path, lease);
  if (file === undefined) return undefined;
  const window = new LeaseWindow(timing, machineTime, shared);
  const heartbeat = lockHeartbeat({ file, lease, lapses, window, time: machineTime });
  const timer = setInterval(() => void heartbeat(), timing.heartbeatMs);
  return {
    receive: () => undefined,
    end: async () => {
      clearInterval(timer);
      await file.close();
    },
  };
});
