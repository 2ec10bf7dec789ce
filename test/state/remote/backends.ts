import { setImmediate as turn } from 'node:timers/promises';
import type { Backend } from '../../../src/state/backend.ts';
import { keepInThisThread } from '../../../src/state/remote/kept-lease.ts';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import type { LeaseTiming } from '../../../src/state/lease/lease-timing.ts';
import { probeBytes } from '../../../src/state/remote/probe-store.ts';
import { remoteBackend } from '../../../src/state/remote/remote-backend.ts';
import { objectNames, type RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { usualTiming } from '../../support/usual-timing.ts';

// Heartbeats come while a test runs. No lease lapses meanwhile, however long a busy machine stops the test.
const frequentHeartbeats: LeaseTiming = { ...usualTiming, heartbeatMs: 200 };

/** A backend over a store, whose heartbeats come from the thread of the test. */
export function backendOver(
  store: RemoteStore,
  {
    timing = frequentHeartbeats,
    time = machineTime,
    heartbeats = time,
  }: { readonly timing?: LeaseTiming; readonly time?: LeaseTime; readonly heartbeats?: LeaseTime } = {},
): Backend {
  return remoteBackend({
    store,
    timing,
    time,
    owner: { owner: 'ada', host: 'runner', pid: 1 },
    keep: (taken) => keepInThisThread(store, taken, timing, heartbeats),
  });
}

/** The time of this machine, but waiting takes none and is counted as if it did. */
export function skippingTime(): LeaseTime {
  let skipped = 0;
  return {
    ...machineTime,
    now: () => {
      const { monotonic, wall } = machineTime.now();
      return { monotonic: monotonic + skipped, wall: wall + skipped };
    },
    sleep: async (ms) => {
      await turn();
      skipped += ms;
    },
  };
}

/** A store as any run but the first one finds it: the result of its probe is stored. */
export async function probed(store: RemoteStore): Promise<RemoteStore> {
  await store.prepare();
  await store.swap(objectNames.probe, undefined, probeBytes([store.location]));
  return store;
}
