import type { FileHandle } from 'node:fs/promises';
import type { Lease } from '../lease/lease.ts';
import { startTask } from '../lease/lease-thread.ts';
import { machineTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import { LeaseWindow, windowBytes } from '../lease/lease-window.ts';
import { lockHeartbeat } from './lock-heartbeat.ts';
import type { LockThreadStart } from './lock-thread.ts';

/** How a lock is renewed. */
export interface LockRenewalOptions {
  readonly path: string;
  /** The lock, as it was opened; closed at the end. */
  readonly file: FileHandle;
  readonly lease: Lease;
  readonly lapses: boolean;
  readonly leaseMs: number;
  readonly now?: () => Date;
  /** The program of the thread that sends the heartbeats; this thread sends them without it. */
  readonly thread?: URL | undefined;
}

/** A lock that is renewed until it is released. */
export interface LockRenewal {
  readonly window: LeaseWindow;
  readonly end: () => Promise<void>;
}

const mostHeartbeatMs = 5_000;

/** Renews a lock. If its thread fails, the lease expires. */
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
  const time = now === undefined ? machineTime : { now: () => instantOf(now()) };
  const shared = new SharedArrayBuffer(windowBytes);
  const window = new LeaseWindow(timing, time, shared);
  window.sign();
  window.confirm(time.now());
  const endSigns = machineTime.every(timing.heartbeatMs / 5, () => window.sign());
  const endHeartbeats =
    thread === undefined
      ? sendHere(timing.heartbeatMs, lockHeartbeat({ file, lease, lapses, window, time }))
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

function sendHere(heartbeatMs: number, heartbeat: () => Promise<void>): () => Promise<unknown> {
  const end = machineTime.every(heartbeatMs, () => void heartbeat());
  return () => {
    end();
    return Promise.resolve();
  };
}

function instantOf(date: Date): ReturnType<typeof machineTime.now> {
  return { monotonic: date.getTime(), wall: date.getTime() };
}
