import { Refused, SluiceError, StateError } from '../../diagnostics/errors.ts';
import type { Backend, LockHolder } from '../backend.ts';
import type { Lock, LockOptions } from '../lock.ts';
import { mustBeEmpty } from '../must-be-ours.ts';
import type { StateStoreOptions } from '../store.ts';
import { outageHints } from './outage-hints.ts';
import type { KeptLease } from './kept-lease.ts';
import { endLease } from './end-lease.ts';
import { type LeaseOwner, lockLost } from './lease-record.ts';
import { LeaseSession } from './lease-session.ts';
import { leasedStateStore, readingStateStore } from './leased-state-store.ts';
import { holderText } from '../lease/lease.ts';
import type { LeaseTime } from '../lease/lease-time.ts';
import type { LeaseTiming } from '../lease/lease-timing.ts';
import type { LeaseWindow } from '../lease/lease-window.ts';
import { probeStore, requireProbed } from './probe-store.ts';
import { remoteDocument } from './remote-document.ts';
import { objectNames, type RemoteStore } from './remote-store.ts';
import { beginRun, readRuns, type RunStore } from '../run-records.ts';
import { patienceFor, settledSwap } from './settled-swap.ts';
import { storeMustBeHere, storedLease, takeLease, type TakenLease } from './take-lease.ts';
import { replaceLease, unusableLease } from './unusable-lease.ts';
import { timeInName } from '../time-in-name.ts';

/** What a backend over a shared store needs. */
export interface RemoteBackendOptions {
  readonly store: RemoteStore;
  readonly timing: LeaseTiming;
  readonly time: LeaseTime;
  /** Who this run is, as others see it. */
  readonly owner: Omit<LeaseOwner, 'command' | 'since'>;
  /** Has the heartbeats of a lease sent. */
  readonly keep: (taken: TakenLease) => KeptLease;
}

const signMs = 1_000;

/** What a stack remembers in a store that several machines share. */
export function remoteBackend({ store, timing, time, owner, keep }: RemoteBackendOptions): Backend {
  const sessions = new WeakMap<Lock, LeaseSession>();
  // A record whose answer was lost would otherwise be written a second time, and refused.
  const runStore: RunStore = {
    ...store,
    swap: async (name, expected, bytes) => {
      try {
        const patience = patienceFor(time, timing.storeDeadlineMs);
        const swapped = await settledSwap(store, { name, expected, bytes }, patience);
        return swapped === undefined ? { is: 'conflict' } : { is: 'done', version: swapped.version };
      } catch (cause) {
        return { is: 'unknown', cause };
      }
    },
  };
  let current: { readonly session: LeaseSession; readonly by: Parameters<typeof beginRun>[3] } | undefined;

  async function acquireLock(command: string, options: LockOptions = {}): Promise<Lock> {
    await store.prepare();
    await requireProbed(store);
    const since = new Date(time.now().wall).toISOString();
    const taken = await takeLease(store, { ...options, owner: { ...owner, command, since }, timing, time });
    const kept = keep(taken);
    const { window, note, release } = kept;
    const { record } = taken;
    const session = new LeaseSession({ store, record, window, time, note, signal: options.signal });
    const endSigns = time.every(signMs, () => window.sign());
    const lock: Lock = {
      isMine: () => window.state === 'open' || window.state === 'closed',
      mayWrite: () => window.state === 'open',
      isCutOff: () => window.state === 'over',
      untilMayWrite: (signal) => untilOpen(kept, signal),
      release: async () => {
        if (session.isFolded) note({ folded_through: record.fence });
        await release();
        endSigns();
        if (current?.session === session) current = undefined;
      },
    };
    sessions.set(lock, session);
    current = { session, by: { fence: record.fence, command, owner: owner.owner, host: owner.host } };
    return lock;
  }

  async function untilOpen({ window, refusal }: KeptLease, signal?: AbortSignal): Promise<void> {
    for (;;) {
      const { state } = window;
      if (state === 'open') return;
      if (state === 'lost') throw lockLost();
      // Also after a suspension, of which the store knows nothing: whether another run has the lease by now is for the next run to find out.
      if (state === 'over') throw refusal.ended(window.quietMs) ?? cutOff(store, window);
      await time.sleep(timing.heartbeatMs / 20, signal).catch(() => {
        throw new SluiceError(
          'INTERRUPTED',
          'the run was interrupted while it waited for the state store, which was unavailable',
        );
      });
    }
  }

  /**
   * The lease records that there is no state before the state is removed: a run that takes the lease in between finds an empty state.
   * Lease and journals stay, so that no run of before can write.
   */
  async function removeAll(options: StateStoreOptions, lockOptions: LockOptions): Promise<void> {
    const command = 'sluice state remove';
    const first = await acquireLock(command, lockOptions);
    try {
      const session = sessions.get(first);
      mustBeEmpty(await session?.load(options), store.location);
      if ((await session?.forget()) !== true) throw lockLost();
    } finally {
      await first.release();
    }
    const second = await acquireLock(command, lockOptions);
    try {
      if ((await storedLease(store))?.record.state !== null) throw lockLost();
      const stays = [objectNames.lease, objectNames.probe];
      const names = await store.list('');
      await store.remove(
        names.filter((name) => !stays.some((one) => one === name) && !name.startsWith(objectNames.journal)),
      );
    } finally {
      await second.release();
    }
  }

  async function lockHolder(): Promise<LockHolder | undefined> {
    const unusable = await unusableLease(store);
    if (unusable !== undefined)
      return {
        text: unusable.text,
        release: ({ now = false } = {}) =>
          replaceLease(store, unusable, { time, waits: !now, durationMs: timing.durationMs }),
      };
    const found = await storedLease(store);
    if (found === undefined || found.record.token === null) return undefined;
    const { record } = found;
    const { owner: holder } = record;
    return {
      text: holder === null ? undefined : holderText(holder, holder.since, holder.url),
      release: ({ now = false } = {}) => endLease(store, record, { time, waits: !now }),
    };
  }

  function held(what: string): NonNullable<typeof current> {
    if (current !== undefined) return current;
    throw new Refused('LOCK_LOST', `the state cannot be ${what}: this run does not hold its lock`);
  }

  return {
    location: store.location,
    writeDeadlineMs: timing.writeDeadlineMs,
    acquireLock,
    lockHolder,
    stateStore: (options, lock) => {
      const session = lock && sessions.get(lock);
      return session === undefined
        ? readingStateStore(store, options)
        : leasedStateStore(session, options, store.location);
    },
    setAside: async (now) => {
      const { session } = held('set aside');
      const name = `unreadable/${timeInName(now)}`;
      await session.setAside(name);
      return `${store.location}, ${name}`;
    },
    moveAway: async (to, options) => held('moved').session.moveAway(to, options),
    mustBeHere: () => storeMustBeHere(store),
    removeAll,
    beginRun: async (begun) => current && beginRun(runStore, () => time.now().wall, begun, current.by),
    runs: (count) => readRuns(store, count),
    probe: async () => {
      await store.prepare();
      return probeStore(store);
    },
    document: (name) => remoteDocument(store, name, time),
    close: () => store.close(),
  };
}

function cutOff({ location }: RemoteStore, { quietMs }: LeaseWindow): StateError {
  const seconds = Math.round(quietMs / 1_000);
  return new StateError(
    'STORE_UNAVAILABLE',
    `no heartbeat has reached the state store ${location} for ${seconds} s: it did not respond, or the process was suspended`,
    outageHints,
  );
}
