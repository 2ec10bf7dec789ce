/*
 * The thread that sends the heartbeats of a lock, so that they go on while the main thread is busy. Once the main thread has
 * not responded for too long, it sends none. It ends with the process, or when the lock is released.
 */
import { setInterval } from 'node:timers';
import { workerData } from 'node:worker_threads';
import type { Lease } from '../lease/lease.ts';
import { machineTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { LeaseWindow } from '../lease/lease-window.ts';
import { lockHeartbeat, openOwnLock } from './lock-heartbeat.ts';

/** What the thread begins with. */
export interface LockThreadStart {
  readonly path: string;
  readonly lease: Lease;
  readonly lapses: boolean;
  readonly timing: LeaseTiming;
  /** The memory of the window. */
  readonly shared: SharedArrayBuffer;
}

const { path, lease, lapses, timing, shared } = workerData as LockThreadStart;

void openOwnLock(path, lease).then((file) => {
  if (file === undefined) return;
  const window = new LeaseWindow(timing, machineTime, shared);
  const heartbeat = lockHeartbeat({ file, lease, lapses, window, time: machineTime });
  setInterval(() => void heartbeat(), timing.heartbeatMs);
});
