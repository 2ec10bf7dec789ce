/*
 * The main loop of a watch:
 *
 *   standby    until this process has the lock; while paused, no process has it
 *   reconcile  read the manifests (broken files keep their last good version), refresh the account, select the
 *              changes that may be applied, apply them
 *   wait       for other manifests, an operator request, the next refresh or the next retry, whatever comes first
 *
 * The only state between two reconciliations is in `Controller`; each one refreshes the whole account.
 */
import { aborted } from '../api/clock.ts';
import type { Lock } from '../state/lock.ts';
import { watchHolder } from '../state/lock-hint.ts';
import { linkedAbort } from '../api/linked-abort.ts';
import { reconcile } from './reconcile.ts';
import { Controller } from './controller.ts';
import type { LoadedStack, RefreshedStack, Ports } from './ports.ts';
import type { Revision } from '../model/status/watch-status.ts';
import type { SourceReading } from './source/watch-source.ts';
import { readOperatorRequests, type OperatorRequests } from './operator-requests.ts';
import { indefinitely } from './pause-request.ts';

/** Watches until the signal aborts: then requests in progress are completed and the lock is released. */
export async function watch(ports: Ports, stop: AbortSignal): Promise<void> {
  const controller = new Controller(ports);
  await controller.loadState();
  controller.publish();
  // Requests in flight may take a minute.
  const onStop = (): void => ports.log('info', 'stopping', 'this watch stops: requests in flight are completed first');
  stop.addEventListener('abort', onStop, { once: true });
  while (!stop.aborted) {
    await waitWhilePaused(controller, ports, stop);
    const lock = await acquireLeadership(controller, ports, stop);
    if (lock === undefined) continue;
    try {
      await runAsLeader(controller, ports, lock, stop);
    } finally {
      await lock.release();
    }
  }
  controller.setRole('stopping');
}

/** Waits while an operator has paused the watch. */
async function waitWhilePaused(controller: Controller, ports: Ports, stop: AbortSignal): Promise<void> {
  for (;;) {
    const pause = await currentPause(controller, ports);
    if (pause === undefined || stop.aborted) break;
    controller.pause(pause);
    // Whoever asks hears of the pause, also if this process was never the leader.
    await ports.openSocket();
    await controller.restoreState();
    controller.answer(ports.control.take());
    await firstOf(stop, [
      (signal) => ports.control.asked(signal),
      // The end of a pause is a time of the day.
      (signal) => sleepUntil(pause.until, ports, ports.now, signal),
      (signal) => sleepUntil(controller.failures.next(), ports, controller.time.now, signal),
      (signal) => requestsChanged(controller.requestsVersion, ports, signal),
      async (signal) => {
        while (!(await controller.kept.isChanged())) await ports.clock.sleep(ports.documents.state.pollMs, signal);
      },
    ]);
  }
  controller.resume();
}

/** Waits for the lock. Undefined: it cannot be taken at present. */
async function acquireLeadership(controller: Controller, ports: Ports, stop: AbortSignal): Promise<Lock | undefined> {
  const waiting = linkedAbort(stop);
  let following: Promise<void> | undefined;
  try {
    const onWait = (holder: string, command?: string): void => {
      controller.setRole('standby', { name: holder, isWatch: command === watchHolder });
      following ??= followLeader(controller, ports, waiting.signal);
    };
    const lock = await ports.acquireLock(stop, onWait, (quietMs) => controller.leaderSentHeartbeat(quietMs));
    controller.failures.recovered('lock');
    await controller.becomeLeader(lock);
    return lock;
  } catch (error) {
    if (stop.aborted) return undefined;
    controller.failed('lock', error);
    await firstOf(stop, [(signal) => sleepUntil(controller.scheduleNext(), ports, controller.time.now, signal)]);
    return undefined;
  } finally {
    waiting.abort();
    waiting.release();
    await following;
  }
}

/** While another process has the lock: where its status page is. What cannot be read is not shown. */
async function followLeader(controller: Controller, ports: Ports, signal: AbortSignal): Promise<void> {
  const { state } = ports.documents;
  while (!signal.aborted)
    try {
      const seen = await state.version();
      await controller.findLeader();
      while ((await state.version()) === seen) await ports.clock.sleep(state.pollMs, signal);
    } catch {
      await ports.clock.sleep(state.pollMs, signal).catch(() => undefined);
    }
}

/** Reconciles while this process has the lock and no operator pauses it. */
async function runAsLeader(controller: Controller, ports: Ports, lock: Lock, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && (await currentPause(controller, ports)) === undefined) {
    // Each time: whoever cleans up the directory of the state may have removed it.
    await ports.openSocket();
    const until = await reconcileNow(controller, ports, stop);
    if (lock.isMine() && until !== undefined) await waitForNext(until, controller, ports, lock, stop);
    if (!lock.isMine()) {
      const causes = 'the lock was removed, another process took it over, or this process was suspended for too long';
      ports.log('warn', 'lock-lost', `this process lost the lock: ${causes}; this process discards its cached state`);
      controller.setRole('standby');
      controller.answer(ports.control.take());
      return;
    }
  }
  if (!stop.aborted) await controller.savePause();
}

/** Reconciles, and answers whoever asked for it before it began. Returns the steady time of the next refresh; undefined if it was stopped before. */
async function reconcileNow(controller: Controller, ports: Ports, stop: AbortSignal): Promise<number | undefined> {
  controller.startReconcile();
  const endTurn = await ports.takeTurn(stop).catch(() => undefined);
  if (endTurn === undefined) return undefined;
  const asked = ports.control.take();
  controller.startTurn(asked.length > 0);
  // A request means that the person expects what failed to work now.
  if (asked.length > 0) controller.failures.retryNow();
  let isInterrupted = false;
  try {
    isInterrupted = await reconcileOnce(controller, ports, stop, asked.length === 0);
  } finally {
    endTurn();
  }
  controller.publish();
  await controller.saveRecorded();
  // Who asked learns what the watch waits for, and not that it reconciles.
  const until = controller.scheduleNext();
  if (isInterrupted && !stop.aborted) ports.control.giveBack(asked);
  else controller.answer(asked);
  return until;
}

/** The revision that was read, and whether it has changes that are not committed; what is known of the one before is not asked again. */
async function withUncommitted(
  { value, revision, isNew }: SourceReading<LoadedStack>,
  before: Revision | undefined,
): Promise<Revision> {
  const isKnown = !isNew && before !== undefined && before.commit === revision.commit;
  const isUncommitted = isKnown ? before.isUncommitted : await value.uncommitted?.();
  return isUncommitted === true ? { ...revision, isUncommitted } : revision;
}

/** Reads the manifests, refreshes the account and applies what may be applied. Whether new manifests, a pause or the end interrupted that. */
async function reconcileOnce(
  controller: Controller,
  ports: Ports,
  stop: AbortSignal,
  mayReuse: boolean,
): Promise<boolean> {
  try {
    const reading = await ports.source.read(ports.read, stop);
    controller.setManifests({ ...reading, revision: await withUncommitted(reading, controller.revision) });
  } catch (error) {
    if (stop.aborted) return true;
    controller.failed('manifests', error);
  }
  const { stack, desired } = controller;
  if (stack === undefined || desired === undefined || controller.failures.retryAt('account') !== undefined)
    return false;
  // New manifests or a pause interrupt this reconciliation, whatever it waits for. A commit of other files is taken up after it: in a
  // busy repository, nothing would ever be applied.
  const work = linkedAbort(stop);
  const observing = linkedAbort(stop);
  const interruption = firstOf(observing.signal, [
    (signal) => ports.source.contentChanged(signal),
    (signal) => pauseRequested(controller, ports, signal),
  ]).then(() => {
    if (!observing.signal.aborted) work.abort();
  });
  let refreshed: RefreshedStack | undefined;
  try {
    refreshed = await stack.refresh(desired, work.signal, mayReuse);
    await reconcile(controller, ports, refreshed, await currentRequests(controller, ports), work.signal);
  } catch (error) {
    if (!work.signal.aborted) controller.failed('account', error);
  } finally {
    observing.abort();
    await interruption;
    observing.release();
    work.release();
    await refreshed?.close().catch((error: unknown) => controller.failed('account', error));
  }
  return work.signal.aborted;
}

/** Waits for whatever comes first: other manifests, an operator request, the next refresh, the next retry, the loss of the lock. */
async function waitForNext(
  until: number,
  controller: Controller,
  ports: Ports,
  lock: Lock,
  stop: AbortSignal,
): Promise<void> {
  await firstOf(stop, [
    (signal) => sleepUntil(until, ports, controller.time.now, signal),
    (signal) => requestsChanged(controller.requestsVersion, ports, signal),
    (signal) => ports.control.asked(signal),
    (signal) => ports.source.changed(signal),
    async (signal) => {
      while (lock.isMine()) await ports.clock.sleep(pollMs, signal);
    },
  ]);
}

async function currentRequests(controller: Controller, { documents }: Ports): Promise<OperatorRequests> {
  const stamp = await documents.requests.version();
  // A document that could not be read is retried after its backoff, or when it changes.
  if (stamp === controller.requestsVersion && controller.failures.retryAt('requests') !== undefined) return unreadable;
  controller.requestsVersion = stamp;
  try {
    const requests = await readOperatorRequests(documents.requests);
    controller.requestedApprovals = requests.approvals;
    controller.failures.recovered('requests');
    return requests;
  } catch (error) {
    controller.failed('requests', error);
    return unreadable;
  }
}

// What cannot be read may contain a pause, and a pause is the safe assumption.
const unreadable: OperatorRequests = {
  format: 1,
  pause: { until: indefinitely, reason: 'the pauses and approvals cannot be read' },
  approvals: [],
};

/** The pause in force. Whatever replaces the document, such as a commit, ends no pause without the proof of an operator. */
async function currentPause(controller: Controller, ports: Ports): Promise<OperatorRequests['pause']> {
  await controller.kept.compareDocument();
  const requests = await currentRequests(controller, ports);
  if (requests === unreadable) return requests.pause;
  if (!controller.kept.takePause(requests)) {
    const { location } = ports.documents.requests;
    ports.log(
      'warn',
      'pause-kept',
      `the pause was removed from ${location} or shortened, but not by \`sluice pause\` or \`sluice resume\`, so the pause continues; to end it, run \`sluice resume\``,
    );
  }
  return controller.kept.pause;
}

const pollMs = 1_000;
// Timers are late on a machine that was suspended, so a long wait is split into short ones.
const maxSleepMs = 30_000;

async function requestsChanged(seen: string, ports: Ports, signal: AbortSignal): Promise<void> {
  const { control, clock, documents } = ports;
  const { requests } = documents;
  while ((await requests.version()) === seen) {
    signal.throwIfAborted();
    await firstOf(signal, [(over) => clock.sleep(requests.pollMs, over), control.woken]);
  }
}

async function pauseRequested(controller: Controller, ports: Ports, signal: AbortSignal): Promise<void> {
  const { requests } = ports.documents;
  for (let last = controller.requestsVersion; ;) {
    await requestsChanged(last, ports, signal);
    // Before the document is read: what is written in between is read again.
    last = await requests.version();
    try {
      const requested = await readOperatorRequests(requests);
      const { pause, approvals } = requested;
      if (pause !== undefined && pause.until > ports.now()) {
        // Until the requests in flight are finished, something may remove it.
        controller.kept.takePause(requested);
        return;
      }
      // Shown while the apply runs; it counts once that has ended.
      controller.requestedApprovals = approvals;
      controller.publish();
    } catch {
      return;
    }
  }
}

async function sleepUntil(until: number, { clock }: Ports, now: () => number, signal: AbortSignal): Promise<void> {
  for (let left = until - now(); left > 0; left = until - now()) await clock.sleep(Math.min(left, maxSleepMs), signal);
}

/** Resolves with the first; the others are aborted. One that fails is not the first: what cannot be observed has not happened. */
async function firstOf(stop: AbortSignal, works: readonly ((signal: AbortSignal) => Promise<void>)[]): Promise<void> {
  const over = linkedAbort(stop);
  const started = works.map((work) => work(over.signal).catch(() => aborted(over.signal)));
  await Promise.race(started);
  over.abort();
  await Promise.all(started);
  over.release();
}
