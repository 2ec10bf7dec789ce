import { type LeaseTime, longestSince, shortestSince, type Instant } from '../../../src/state/lease/lease-time.ts';
import { windowMs } from '../../../src/state/lease/lease-timing.ts';
import { usualTiming } from '../../support/usual-timing.ts';

/** The lock of one stack as its store has it: who holds it, and a version that each heartbeat changes. */
export interface SimulatedLock {
  holder: object | undefined;
  version: number;
}

/** How one process takes a lock and keeps it, by the rules of the real one, whose simulation is another. */
export interface LockKeeper {
  /** Resolves once it is taken, or the signal aborts: whether it is taken. */
  readonly take: (signal: AbortSignal) => Promise<boolean>;
  /** Whether a request may start. */
  readonly mayWrite: () => boolean;
  /** Whether it is still its own, as far as the process has heard. */
  readonly isMine: () => boolean;
  readonly release: () => void;
}

const { durationMs, heartbeatMs } = usualTiming;

/** Makes one for a process that may be cut off from the store. */
export function lockKeeper(
  lock: SimulatedLock,
  { time, isCutOff }: { readonly time: LeaseTime; readonly isCutOff: () => boolean },
): LockKeeper {
  let mine: { confirmed: Instant; isLost: boolean } | undefined;

  async function beat(own: NonNullable<typeof mine>): Promise<void> {
    while (mine === own && !own.isLost) {
      await time.sleep(heartbeatMs);
      if (isCutOff() || mine !== own) continue;
      if (lock.holder === own) {
        lock.version += 1;
        own.confirmed = time.now();
      } else own.isLost = true;
    }
  }

  return {
    take: async (signal) => {
      let seen: { readonly version: number; readonly at: Instant } | undefined;
      while (!signal.aborted) {
        if (!isCutOff()) {
          const isDead = seen?.version === lock.version && shortestSince(seen.at, time.now()) >= durationMs;
          if (lock.holder === undefined || isDead) {
            mine = { confirmed: time.now(), isLost: false };
            lock.holder = mine;
            lock.version += 1;
            void beat(mine);
            return true;
          }
          if (seen?.version !== lock.version) seen = { version: lock.version, at: time.now() };
        }
        await time.sleep(heartbeatMs / 4, signal).catch(() => undefined);
      }
      return false;
    },
    mayWrite: () =>
      mine !== undefined && !mine.isLost && longestSince(mine.confirmed, time.now()) < windowMs(usualTiming),
    isMine: () => mine?.isLost === false,
    release: () => {
      if (!isCutOff() && lock.holder === mine) {
        lock.holder = undefined;
        lock.version += 1;
      }
      mine = undefined;
    },
  };
}
