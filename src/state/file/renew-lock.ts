import { startTask } from '../lease/lease-thread.ts';
import { machineTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { LeaseWindow, windowBytes } from '../lease/lease-window.ts';
import { lockHeartbeat, type LockHeartbeatOptions } from './lock-heartbeat.ts';
import type { LockThreadStart } from './lock-thread.ts';

/** A lock in a file, and how it is renewed. */
export interface LockRenewalOptions extends Pick<LockHeartbeatOptions, 'file' | 'lease' | 'lapses'> {
  readonly path: string;
  readonly leaseMs: number;
  readonly now?: () => Date;
  readonly thread?: URL | undefined;
}

/** A lock that is renewed until it is released. */
export interface LockRenewal {
  readonly window: LeaseWindow;
  readonly end: () => Promise<void>;
}

const mostHeartbeatMs = 5_000;

/** Renews a lock, and closes its file at the end. If its thread fails, the lease expires. */
export function renewLock(options: LockRenewalOptions): LockRenewal {
  const { path, file, lease, lapses, leaseMs, now, thread } = options;
  const timing: LeaseTiming = {
    durationMs: leaseMs,
    heartbeatMs: Math.min(mostHeartbeatMs, leaseMs / 3),
    // What is written through a lock in a file asks its file each time.
    storeDeadlineMs: 0,
    writeDeadlineMs: 0,
    marginMs: 0,
  };
  const time = now === undefined ? machineTime : { now: () => ({ monotonic: now().getTime(), wall: now().getTime() }) };
  const shared = new SharedArrayBuffer(windowBytes);
  const window = new LeaseWindow(timing, time, shared);
  window.sign();
  window.confirm(time.now());
  const endSigns = machineTime.every(timing.heartbeatMs / 5, () => window.sign());
  const heartbeat = lockHeartbeat({ file, lease, lapses, window, time });
  const endHeartbeats: () => unknown =
    thread === undefined
      ? machineTime.every(timing.heartbeatMs, () => void heartbeat())
      : startTask(thread, { path, lease, lapses, timing, shared } satisfies LockThreadStart).end;
  return {
    window,
    end: async () => {
      endSigns();
      await endHeartbeats();
      await file.close().catch(() => undefined);
    },
  };
}
