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
import { carryOut } from './carry-out.ts';
import { linkedAbort } from './linked-abort.ts';
import { Mind } from './mind.ts';
import type { Look, Ports } from './ports.ts';
import { readWishes, stampOf, type Wishes } from './wishes.ts';

/** Watches until the signal aborts: then what runs is finished, and the lock is given back. */
export async function watch(ports: Ports, stop: AbortSignal): Promise<void> {
  const mind = new Mind(ports);
  mind.begin();
  while (!stop.aborted) {
    if (await paused(mind, ports, stop)) continue;
    const lock = await lead(mind, ports, stop);
    if (lock === undefined) break;
    try {
      await leading(mind, ports, lock, stop);
    } finally {
      await lock.release();
    }
  }
  mind.take('stopping');
}

/** Waits for as long as somebody asked for a pause. Whether there was one. */
async function paused(mind: Mind, ports: Ports, stop: AbortSignal): Promise<boolean> {
  const pause = wishesNow(mind, ports).pause;
  if (pause === undefined || pause.until <= ports.now()) return false;
  mind.pause({ until: pause.until, ...(pause.reason === undefined ? {} : { reason: pause.reason }) });
  await firstOf(stop, [(signal) => sleepUntil(pause.until, ports, signal), (signal) => wished(mind, ports, signal)]);
  mind.pause(undefined);
  return true;
}

async function lead(mind: Mind, ports: Ports, stop: AbortSignal): Promise<Lock | undefined> {
  try {
    const lock = await ports.lead(stop, (holder) => mind.take('standing-by', holder));
    mind.forgetCaches();
    mind.take('leading');
    return lock;
  } catch (error) {
    if (stop.aborted) return undefined;
    throw error;
  }
}

/** Turns for as long as the lock is ours and nobody asks for a pause. */
async function leading(mind: Mind, ports: Ports, lock: Lock, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const pause = wishesNow(mind, ports).pause;
    if (pause !== undefined && pause.until > ports.now()) return;
    if (!lock.isMine()) {
      ports.log('warn', 'lock-lost', 'another process has taken the lock over; standing by');
      return;
    }
    await turn(mind, ports, stop);
    await rest(mind, ports, stop);
  }
}

async function turn(mind: Mind, ports: Ports, stop: AbortSignal): Promise<void> {
  mind.turning();
  try {
    mind.hasRead(await ports.source.read(ports.read, stop));
  } catch (error) {
    if (stop.aborted) return;
    mind.failed('manifests', error);
  }
  const { stack, desired } = mind;
  if (stack === undefined || desired === undefined || mind.mustWait('account')) return;
  // Whatever this turn waits for is not worth waiting for once there is something newer to read.
  const acting = linkedAbort(stop);
  const watching = linkedAbort(stop);
  const noticed = ports.source.changed(watching.signal).then(acting.abort, () => undefined);
  let look: Look | undefined;
  try {
    look = await stack.look(desired, acting.signal);
    await carryOut(mind, ports, look, wishesNow(mind, ports), acting.signal);
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

/** Waits for whatever comes first: other manifests, a wish, the next look, the next try. */
async function rest(mind: Mind, ports: Ports, stop: AbortSignal): Promise<void> {
  const until = mind.rest();
  await firstOf(stop, [
    (signal) => sleepUntil(until, ports, signal),
    (signal) => wished(mind, ports, signal),
    (signal) => ports.source.changed(signal),
  ]);
}

function wishesNow(mind: Mind, { files }: Ports): Wishes {
  mind.wishesSeen = stampOf(files.wishes);
  try {
    const wishes = readWishes(files.wishes);
    mind.worked('wishes');
    return wishes;
  } catch (error) {
    // It may ask for a pause, and to do less is safer.
    mind.failed('wishes', error);
    return { format: 1, pause: { until: Number.MAX_SAFE_INTEGER, by: 'unknown' }, approvals: [] };
  }
}

const wishMs = 1_000;
// Timers of a machine that sleeps are late, so a long wait is many short ones.
const napMs = 30_000;

async function wished(mind: Mind, { files, clock }: Ports, signal: AbortSignal): Promise<void> {
  while (stampOf(files.wishes) === mind.wishesSeen) await clock.sleep(wishMs, signal);
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
