/*
 * The life of a watch:
 *
 *   stand by  until the lock is ours; while paused nobody holds it
 *   turn      read the manifests (what is broken keeps its last good version), look at the account,
 *             find what may be done, do it
 *   wait      for other manifests, a wish, the next look, the next try of what failed: whatever comes first
 *
 * Nothing of one turn is needed by the next but what stands in `Mind`; the account is looked at anew each time.
 */
import type { Lock } from '../state/lock.ts';
import { reconcile } from './reconcile.ts';
import { linkedAbort } from './linked-abort.ts';
import { Controller } from './controller.ts';
import type { RefreshedStack, Ports } from './ports.ts';
import {
  indefinitely,
  readOperatorRequests,
  operatorRequestsVersion,
  type OperatorRequests,
} from './operator-requests.ts';

/** Watches until the signal aborts: then what runs is finished, and the lock is given back. */
export async function watch(ports: Ports, stop: AbortSignal): Promise<void> {
  const mind = new Controller(ports);
  mind.tell();
  while (!stop.aborted) {
    await whilePaused(mind, ports, stop);
    const lock = await lead(mind, ports, stop);
    if (lock === undefined) continue;
    try {
      await leading(mind, ports, lock, stop);
    } finally {
      await lock.release();
    }
  }
  mind.take('stopping');
}

/** Waits for as long as somebody asked for a pause. */
async function whilePaused(mind: Controller, ports: Ports, stop: AbortSignal): Promise<void> {
  for (;;) {
    const pause = pauseNow(mind, ports);
    if (pause === undefined || stop.aborted) break;
    mind.pauses(pause);
    await firstOf(stop, [
      (signal) => sleepUntil(Math.min(pause.until, mind.retryAt('wishes') ?? indefinitely), ports, signal),
      (signal) => wished(mind.wishesSeen, ports, signal),
    ]);
  }
  mind.resumes();
}

/** Waits for the lock. Undefined: it cannot be had for the moment. */
async function lead(mind: Controller, ports: Ports, stop: AbortSignal): Promise<Lock | undefined> {
  try {
    const lock = await ports.lead(stop, (holder) => mind.take('standby', holder));
    mind.worked('lock');
    mind.leads(lock);
    return lock;
  } catch (error) {
    if (stop.aborted) return undefined;
    mind.failed('lock', error);
    await firstOf(stop, [(signal) => sleepUntil(mind.rest(), ports, signal)]);
    return undefined;
  }
}

/** Turns for as long as the lock is ours and nobody asks for a pause. */
async function leading(mind: Controller, ports: Ports, lock: Lock, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && pauseNow(mind, ports) === undefined) {
    await turn(mind, ports, stop);
    if (lock.isMine()) await rest(mind, ports, lock, stop);
    if (!lock.isMine()) {
      ports.log(
        'warn',
        'lock-lost',
        'this process lost the lock: another process took it over, or this one was suspended for too long; its cached state is discarded',
      );
      mind.take('standby');
      return;
    }
  }
}

async function turn(mind: Controller, ports: Ports, stop: AbortSignal): Promise<void> {
  mind.turning();
  try {
    mind.hasRead(await ports.source.read(ports.read, stop));
  } catch (error) {
    if (stop.aborted) return;
    mind.failed('manifests', error);
  }
  const { stack, desired } = mind;
  if (stack === undefined || desired === undefined || mind.retryAt('account') !== undefined) return;
  // Whatever this turn waits for is not worth waiting for once there is something newer to read, or a pause.
  const acting = linkedAbort(stop);
  const watching = linkedAbort(stop);
  const noticed = firstOf(watching.signal, [
    (signal) => ports.source.changed(signal),
    (signal) => pauseWished(mind.wishesSeen, ports, signal),
  ]).then(() => {
    if (!watching.signal.aborted) acting.abort();
  });
  let look: RefreshedStack | undefined;
  try {
    look = await stack.look(desired, acting.signal);
    await reconcile(mind, ports, look, wishesNow(mind, ports), acting.signal);
  } catch (error) {
    if (!acting.signal.aborted) mind.failed('account', error);
  } finally {
    watching.abort();
    await noticed;
    watching.release();
    acting.release();
    await look?.close().catch((error: unknown) => mind.failed('account', error));
  }
}

/** Waits for whatever comes first: other manifests, a wish, the next look, the next try, the loss of the lock. */
async function rest(mind: Controller, ports: Ports, lock: Lock, stop: AbortSignal): Promise<void> {
  const until = mind.rest();
  await firstOf(stop, [
    (signal) => sleepUntil(until, ports, signal),
    (signal) => wished(mind.wishesSeen, ports, signal),
    (signal) => ports.source.changed(signal),
    (signal) => lost(lock, ports, signal),
  ]);
}

function wishesNow(mind: Controller, { files }: Ports): OperatorRequests {
  const stamp = operatorRequestsVersion(files.wishes);
  // Requests that could not be read are tried again by time, or when something about the file changes.
  if (stamp === mind.wishesSeen && mind.retryAt('wishes') !== undefined) return unreadable;
  mind.wishesSeen = stamp;
  try {
    const wishes = readOperatorRequests(files.wishes);
    mind.worked('wishes');
    return wishes;
  } catch (error) {
    mind.failed('wishes', error);
    return unreadable;
  }
}

// What cannot be read may ask for a pause, and to do less is safer.
const unreadable: OperatorRequests = {
  format: 1,
  pause: { until: indefinitely, by: 'unknown', reason: 'the file with pauses and approvals cannot be read' },
  approvals: [],
};

function pauseNow(mind: Controller, ports: Ports): OperatorRequests['pause'] {
  const { pause } = wishesNow(mind, ports);
  return pause !== undefined && pause.until > ports.now() ? pause : undefined;
}

const peekMs = 1_000;
// Timers of a machine that sleeps are late, so a long wait is many short ones.
const napMs = 30_000;

async function wished(seen: string, { files, clock }: Ports, signal: AbortSignal): Promise<void> {
  while (operatorRequestsVersion(files.wishes) === seen) await clock.sleep(peekMs, signal);
}

async function pauseWished(seen: string, ports: Ports, signal: AbortSignal): Promise<void> {
  for (let last = seen; ; last = operatorRequestsVersion(ports.files.wishes)) {
    await wished(last, ports, signal);
    try {
      if ((readOperatorRequests(ports.files.wishes).pause?.until ?? 0) > ports.now()) return;
    } catch {
      return;
    }
  }
}

async function lost(lock: Lock, { clock }: Ports, signal: AbortSignal): Promise<void> {
  while (lock.isMine()) await clock.sleep(peekMs, signal);
}

async function sleepUntil(until: number, { clock, now }: Ports, signal: AbortSignal): Promise<void> {
  for (let left = until - now(); left > 0; left = until - now()) await clock.sleep(Math.min(left, napMs), signal);
}

/** Resolves with the first; the others are called off. */
async function firstOf(stop: AbortSignal, works: readonly ((signal: AbortSignal) => Promise<void>)[]): Promise<void> {
  const over = linkedAbort(stop);
  const started = works.map((work) => work(over.signal).catch(() => undefined));
  await Promise.race(started);
  over.abort();
  await Promise.all(started);
  over.release();
}
