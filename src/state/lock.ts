import { closeSync, constants, openSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LockHeld, SluiceError, StateError } from '../diagnostics/errors.ts';
import { systemReason, writeHint } from '../diagnostics/system-reason.ts';
import { makeKeptDirectory } from '../files/make-kept-directory.ts';
import { holderText, newLease, type Lease } from './lease/lease.ts';
import { place, withdraw, type Occupant } from './file/lock-file.ts';
import { openOwnLock } from './file/lock-heartbeat.ts';
import { renewLock } from './file/renew-lock.ts';
import { isGone } from '../files/process-identity.ts';
import { lockHint, runAgain } from './lock-hint.ts';

/** The right to be the only run that writes. */
export interface Lock {
  /** Whether this run still holds the lock, according to its file now: to be checked before every write. */
  readonly isMine: () => boolean;
  /** While it is: whether a write to the service may start at this moment. */
  readonly mayWrite: () => boolean;
  /** Resolves once a write may start. Rejects where the store of the lock was unavailable for too long, or the lock is lost. */
  readonly untilMayWrite: (signal?: AbortSignal) => Promise<void>;
  /** Whether its store has been unavailable for so long that this run writes nothing any more. */
  readonly isCutOff?: () => boolean;
  readonly release: () => Promise<void>;
}

/** How to take a lock. */
export interface LockOptions {
  readonly now?: () => Date;
  /** How long to wait for a holder, in milliseconds; not at all when left out. */
  readonly patience?: number;
  /** The lease duration in milliseconds: a holder on another machine without a heartbeat for so long is dead; a minute by default. */
  readonly leaseMs?: number;
  /** Whether a holder that could not renew the lock for the lease duration, as when it was suspended, loses it, since its data is outdated. */
  readonly lapses?: boolean;
  /** Called with the holder this run waits for, as text and with its command where that is known, and whenever it changes. */
  readonly onWait?: (holder: string, command?: string) => void;
  /** Called while it waits, with how long ago the last heartbeat of the holder was, in milliseconds. */
  readonly onHeartbeat?: (quietMs: number) => void;
  readonly signal?: AbortSignal;
  /** The program of the thread that sends the heartbeats; the thread of the caller sends them without it. */
  readonly thread?: URL | undefined;
  /** For the destination of a move: a lock whose state was moved away may be taken. */
  readonly isDestination?: true;
  /** The token of a lease that a person has declared dead. */
  readonly declaredDead?: string;
}

// A holder on another machine without a heartbeat for the lease duration is dead.
const times = { leaseMs: 60_000, pollMs: 250 };

// Leases that this process has released. One may be at its path again: it could not be removed, or its directory was away.
const released = new Set<string>();

/** Where the lock of a state file is: beside it, and for `state.json` simply `lock`. */
export function lockOf(statePath: string): string {
  const name = basename(statePath);
  return join(dirname(statePath), name === 'state.json' ? 'lock' : `${name}.lock`);
}

/** Takes the lock, or throws an error that names its holder. The lease of a process that has ended is taken over. */
export async function acquireLock(path: string, command: string, options: LockOptions = {}): Promise<Lock> {
  const { now = () => new Date(), patience = 0, signal } = options;
  // A clock that is set meanwhile changes nothing about how long it waits.
  const until = performance.now() + patience;
  let reported: string | undefined;
  for (;;) {
    const lease = newLease(command, now());
    const occupant = await placeOrHold(path, lease, options);
    if ('isMine' in occupant) return occupant;
    if (performance.now() >= until) throw lockHeld(path, occupant, options);
    const holder = whoIs(occupant);
    if (holder !== reported) options.onWait?.(holder, occupant.lease?.command);
    reported = holder;
    options.onHeartbeat?.(occupant.quiet);
    await wait(Math.min(times.pollMs, Math.max(1, until - performance.now())), undefined, { signal }).catch(() => {
      throw new SluiceError('INTERRUPTED', 'interrupted while waiting for the lock');
    });
  }
}

/** Takes the lock, or answers who has it. Where that fails half way, no lease of this process stays behind, which would keep out this process itself. */
async function placeOrHold(path: string, lease: Lease, options: LockOptions): Promise<Occupant | Lock> {
  const { declaredDead, leaseMs = times.leaseMs } = options;
  try {
    await makeKeptDirectory(dirname(path));
    const occupant = await place(path, lease, ({ lease: other, quiet }) => {
      if (other === undefined) return false;
      return other.token === declaredDead || released.has(other.token) || (isGone(other) ?? quiet > leaseMs);
    });
    return occupant ?? (await held(path, lease, options));
  } catch (error) {
    await giveBack(path, lease);
    if (error instanceof LockHeld) throw error;
    throw new StateError('LOCK_NOT_ACQUIRED', `the lock ${path} cannot be taken: ${systemReason(error)}`, {
      cause: error,
      hint: writeHint(error) ?? 'make sure that the state directory exists and is writable',
    });
  }
}

async function giveBack(path: string, lease: Lease): Promise<void> {
  // Where nothing can be removed now, the lease stays until this process asks again, or ends.
  await withdraw(path, lease).catch(() => undefined);
  released.add(lease.token);
}

async function held(path: string, lease: Lease, options: LockOptions): Promise<Lock> {
  const { leaseMs = times.leaseMs, lapses = false } = options;
  const file = await openOwnLock(path, lease);
  if (file === undefined)
    throw new LockHeld(
      'LOCK_LOST',
      `another process took over the lock ${path} right after this command took the lock`,
      runAgain,
    );
  const { window, end } = renewLock({ ...options, path, file, lease, lapses, leaseMs });
  const isMine = (): boolean => {
    window.sign();
    if (lapses && window.state !== 'open') window.lose();
    return window.state !== 'lost' && names(path, lease.token);
  };
  return {
    isMine,
    // Where it is this run's, every moment is as good.
    mayWrite: () => true,
    // Each request checks the lock before it is sent, and reports that it is lost.
    untilMayWrite: () => Promise.resolve(),
    release: async () => {
      await end();
      await giveBack(path, lease);
    },
  };
}

// Where the token is in a lease.
const beginning = Buffer.alloc(4_096);

// Asked several times for each request, so the lease is not read as such: nobody else's has this token in it. Opened each
// time, because only then a network file system shows the current file.
function names(path: string, token: string): boolean {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return beginning.subarray(0, readSync(descriptor, beginning)).includes(token);
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function lockHeld(path: string, occupant: Occupant, { leaseMs = times.leaseMs }: LockOptions): LockHeld {
  const { lease } = occupant;
  const isElsewhere = lease !== undefined && isGone(lease) === undefined;
  const otherwise = isElsewhere
    ? `the lock expires ${leaseMs / 1_000} s after the last heartbeat`
    : `release the lock with \`sluice state unlock\` (${path})`;
  return new LockHeld('LOCK_HELD', `the stack is locked by ${whoIs(occupant)}`, {
    hint: lockHint(lease?.command, `wait with --lock-timeout; if that process no longer runs, ${otherwise}`),
  });
}

function whoIs({ lease }: Occupant): string {
  return lease === undefined ? 'another process' : holderText(lease, lease.started);
}
