/*
 * Sends requests as fast as the service lets them through, and no faster. A 429 can mean three things, and each asks for
 * something else:
 *
 *   a limit by rate          wait for as long as the service asks, then keep a pace (request-rate.ts)
 *   a limit by concurrency   fewer in flight (concurrency-limit.ts)
 *   neither, it comes by     the refused request waits and is repeated, the others are sent as before (noise.ts)
 *   chance
 *
 * At the first refusal nobody knows which. A trial (trial.ts) finds out with a few requests; until it has, nothing else
 * is sent. Where refusals by chance are known, it takes several in a row for the next trial. A limit by rate that is known
 * is tried again after 1, 2, 4, 8 lessons and so on, and when one follows so soon on the last that no pace explains it,
 * because a trial may err.
 */
import type { Clock } from '../clock.ts';
import { createNoise } from './noise.ts';
import { fixedRate, learnedRate, type RequestRate, type RateTicket } from './request-rate.ts';
import { createQueue, type QueueTicket } from './queue.ts';
import type { Rate, RateFinding } from './rate.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { createRefusalRun } from './refusal-run.ts';
import { createTrial, type Trial } from './trial.ts';

/** Lets requests start no faster than the service allows. One for all requests of a process. */
export interface Limiter {
  /** Resolves when a request may start, repeated ones first, then first come first served; call the result with its answer. */
  readonly admit: (signal?: AbortSignal, place?: QueueTicket) => Promise<AnswerObserver>;
  /** How long a request that is repeated would wait now. */
  readonly waitMs: () => number;
  /** Milliseconds between two requests, where a rate is given or was learned. */
  readonly gapMs: () => number | undefined;
}

/** Called with how a request was answered, without a status when it was not. */
export type AnswerObserver = (status: number | undefined, retryAfterMs?: number) => void;

// A service that asks for longer is asked again all the same: one answer must not hold up everything for days.
const longestHoldMs = 120_000;

// Where nothing passes after a wait, the next one is longer, up to this.
const longestBackOffMs = 30_000;

// For a service that does not send how long to wait.
const firstHoldMs = 1_000;

interface Ticket {
  readonly n: number;
  readonly at: number;
  readonly level: number;
  readonly trial: Trial | undefined;
  readonly pace: RateTicket;
}

/**
 * Makes a limiter. A given rate is kept from the first request on, as it is at the time of each request; without one
 * nothing is held back until the first 429. `shareNow`: which part of the account's requests are this process's, 0 to 1.
 */
export function createLimiter(
  rate: Rate | (() => Rate) | undefined,
  clock: Clock,
  onFinding?: (finding: RateFinding) => void,
  shareNow?: () => number,
): Limiter {
  const requestRate: RequestRate =
    rate === undefined ? learnedRate(shareNow) : fixedRate(typeof rate === 'function' ? rate : () => rate);
  const [room, noise, row] = [createConcurrencyLimit(), createNoise(), createRefusalRun()];
  const inFlight = new Set<number>();
  let started = 0;
  let trial: Trial | undefined;
  // The request whose refusal began it.
  let trialFrom = 0;
  // What was started up to the last lesson is refused for the same reason.
  let known = { upTo: 0, isRate: false };
  let rateLessons = 0;
  // Lessons in a row between which nothing has passed.
  let barren = 0;
  let holdUntil = -Infinity;
  let heldMs = 0;
  let passes = 0;
  let early: { readonly level: number; readonly upTo: number }[] = [];
  let lastAskedMs: number | undefined;

  const queue = createQueue(clock, {
    waitMs: () => {
      const now = clock.now();
      endTrial(now);
      if (inFlight.size >= room.most()) return Infinity;
      if (trial !== undefined) return trial.waitMs(now, inFlight.size);
      return Math.max(requestRate.nextStart(now), holdUntil) - now;
    },
    heldMs: () => heldMs - Math.max(0, holdUntil - clock.now()),
    passed: () => passes,
  });

  function hold(now: number, ms: number): void {
    heldMs += Math.max(0, now + ms - Math.max(holdUntil, now));
    holdUntil = Math.max(holdUntil, now + ms);
  }

  function endTrial(now: number): void {
    const finding = trial?.finding(now);
    if (finding === undefined || trial === undefined) return;
    const { since, holdMs } = trial;
    trial = undefined;
    row.reset();
    if (finding === 'rate') learnRate(since, holdMs);
    if (finding === 'no-rate') learnNoRate(now);
  }

  /** Refusals may come back sooner than answers, so one counts when what was in flight with it is answered. */
  function countEarly(): void {
    const [oldest = Infinity] = inFlight;
    for (const { level } of early.filter(({ upTo }) => upTo < oldest)) room.refused(level);
    early = early.filter(({ upTo }) => upTo >= oldest);
  }

  function learnRate(now: number, holdMs: number): void {
    known = { upTo: started, isRate: true };
    rateLessons += 1;
    barren += 1;
    room.reset();
    hold(now, holdMs);
    const gapMs = requestRate.refused(now, holdMs);
    if (gapMs !== undefined) onFinding?.({ gapMs: barren < 2 ? gapMs : Math.max(gapMs, holdMs) });
  }

  function learnNoRate(now: number): void {
    known = { upTo: started, isRate: false };
    rateLessons = 0;
    requestRate.forget(now);
    noise.found();
    learnRoom();
    const share = noise.share();
    if (share !== undefined) onFinding?.({ share });
  }

  function learnRoom(): void {
    const atOnce = room.learn() ?? (noise.isTooMuch() ? room.lower() : undefined);
    if (atOnce === undefined) return;
    noise.reset();
    onFinding?.({ atOnce });
  }

  function passed({ n, level, pace, trial: ofTrial }: Ticket, now: number): void {
    if (n > known.upTo) barren = 0;
    passes += 1;
    row.passed(n);
    room.passed(level);
    noise.passed();
    // A trial has a pace of its own.
    if (ofTrial === undefined) requestRate.passed(now, pace);
  }

  function refused({ n, at, level }: Ticket, now: number, askedMs: number | undefined): void {
    lastAskedMs = askedMs;
    const holdMs = holdAfter(barren, askedMs);
    // Of those sent together, the service may have had the later ones first.
    if (n > known.upTo && room.explains(Math.max(level, inFlight.size + 1))) {
      known = { upTo: started, isRate: false };
      return;
    }
    early.push({ level, upTo: started });
    noise.refused();
    row.refused(n);
    if (trial !== undefined) return;
    if (n <= known.upTo) {
      if (known.isRate) hold(now, holdMs);
      return;
    }
    if (noise.share() !== undefined) {
      learnRoom();
      if (row.length(inFlight) < noise.mostInARow()) return;
    }
    const isPowerOfTwo = (rateLessons & (rateLessons - 1)) === 0;
    if (barren > 0 || !(isPowerOfTwo || requestRate.isSteady())) {
      learnRate(now, holdMs);
      return;
    }
    trialFrom = n;
    trial = createTrial({
      since: now,
      holdMs,
      startedAt: at,
      gapMs: () => requestRate.gapMs(now) ?? requestRate.measure(now, holdMs),
      inARow: noise.mostInARow(),
      refusedBefore: () => row.length(inFlight),
    });
  }

  function begin(): AnswerObserver {
    started += 1;
    inFlight.add(started);
    trial?.start();
    const at = clock.now();
    const ticket = { n: started, at, level: inFlight.size, trial, pace: requestRate.start(at) };
    return (status, retryAfterMs) => {
      const now = clock.now();
      inFlight.delete(ticket.n);
      countEarly();
      if (trial !== undefined && trial !== ticket.trial && ticket.n > trialFrom && status !== undefined)
        trial.drained(status !== 429);
      if (status === 429) refused(ticket, now, retryAfterMs);
      else if (status !== undefined) passed(ticket, now);
      ticket.trial?.end(status === undefined ? undefined : status !== 429);
      endTrial(now);
      queue.changed();
    };
  }

  /** The time until a request that joins the queue now is sent, if the limits stay as they are. */
  function waitMs(): number {
    const now = clock.now();
    const before = queue.repeated();
    const wait = Math.max(0, Math.max(holdUntil, requestRate.nextStart(now)) - now);
    if (barren < 2) return wait + before * (requestRate.gapMs(now) ?? 0);
    const holds = Array.from({ length: before }, (_, n) => holdAfter(barren + n, lastAskedMs));
    return holds.reduce((sum, ms) => sum + ms, wait);
  }

  return {
    admit: (signal, place) => queue.join(begin, signal, place),
    waitMs,
    gapMs: () => requestRate.gapMs(clock.now()),
  };
}

/** How long nothing is sent after a refusal, where nothing has passed after so many waits. */
function holdAfter(barren: number, askedMs: number | undefined): number {
  const backOff = 2 ** Math.max(0, barren - (askedMs === undefined ? 0 : 2));
  const asked = Math.min(askedMs ?? firstHoldMs, longestHoldMs);
  return Math.max(asked, Math.min(asked * backOff, longestBackOffMs));
}
