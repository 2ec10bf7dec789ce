/*
 * How fast requests may follow each other: at a rate that is given, or at one learned from refusals.
 *
 * A refusal by a rate limit shows how much passes: what has passed since the last one, over that time and the wait that
 * is asked for, less what that wait is rounded up by. That is the pace from then on, a little slower; after few requests
 * it is a guess, and kept near the pace before. Refusals that follow soon on each other slow it more each time.
 *
 * From there it quickens, slowly at first and ever faster, by how far it may be too slow: much where the lesson was the
 * first or differs from the one before, little where it confirms it. To be refused again costs a wait, so the longer that
 * is, the more rarely a limit is probed for. Whoever has waited for as long as was asked passes any limit, so no gap is
 * longer than the longest wait so far. Refusals that no rate explains never come here (refusal-run.ts).
 */

import type { Rate } from './rate.ts';

/** When the next request may start. */
export type RequestRate = ReturnType<typeof learnedRate>;

/** What a request shows about the pace it was started at. */
export interface RateTicket {
  /** Counts lessons; what was sent before one shows nothing about the pace after it. */
  readonly step: number;
  /** It followed the one before as soon as the pace allowed. */
  readonly isTrial: boolean;
}

// So much of a quota may start at once; the rest is spread evenly, and both together fit into every window.
const burstShare = 0.04;

/** Keeps a rate that is known, and may be another one at the next request. */
export function fixedRate(rateNow: () => Rate): RequestRate {
  let next = -Infinity;
  const paceNow = (): { readonly burst: number; readonly gap: number } => {
    const { requests, perMs } = rateNow();
    const burst = Math.max(1, Math.floor(requests * burstShare));
    return { burst, gap: perMs / Math.max(1, requests - burst) };
  };
  return {
    nextStart: () => next,
    start: (now) => {
      const { burst, gap } = paceNow();
      next = Math.max(next, now - (burst - 1) * gap) + gap;
      return { step: 0, isTrial: false };
    },
    passed: () => undefined,
    measure: () => paceNow().gap,
    refused: () => undefined,
    isSteady: () => true,
    forget: () => undefined,
    gapMs: () => {
      const { requests, perMs } = rateNow();
      return perMs / requests;
    },
  };
}

const guess = { gapMs: 100, most: 60_000, slower: 2 };
// A gap of less is none.
const fastest = 1;
const margin = 1.03;
const mostMargins = 16;
const enough = 20;
const steady = 30;
// A wait is asked for in whole seconds.
const roundedMs = 1_000;
// By which share a pace that was learned may be too slow.
const doubt = { least: 0.05, most: 1 };
// By which share one request quickens it at most.
const mostAtOnce = 0.02;
// After such a pause a new measurement begins.
const idleMs = 60_000;
// After so long without a refusal it is as if there had been none.
const forgottenMs = 600_000;

/**
 * Learns a pace from what is refused; without a refusal, nothing is held back. The pace is forgotten when this process's
 * share of the account has grown: it was learned while somebody else used what is now this process's.
 */
export function learnedRate(shareNow: () => number = () => 1) {
  let learnedShare = 1;
  let step = 0;
  let stepAt = 0;
  let gap = 0;
  let last = -Infinity;
  let longestHold = 0;
  // What is being measured: from when, and how many have passed.
  let since = 0;
  let passed = 0;
  // Since the last step: the gap it began with, how many have passed, and how much each that passes quickens it.
  let learned = 0;
  let streak = 0;
  let speedUp = 0;
  // By how many margins the next step slows it down.
  let margins = 1;

  function begin(now: number, nextGap: number): void {
    [step, stepAt, streak, gap, learned, learnedShare] = [step + 1, now, 0, nextGap, nextGap, shareNow()];
  }
  function measure(now: number, holdMs: number): number {
    return passed === 0 ? Infinity : ((now - since + holdMs) / passed) * margin;
  }
  function currentGap(now: number): number {
    if (gap < fastest || now - stepAt > forgottenMs) gap = 0;
    if (gap > 0 && shareNow() > learnedShare) forget(now);
    return gap;
  }
  function forget(now: number): void {
    begin(now, 0);
    [since, passed, longestHold] = [now, 0, 0];
  }
  /** How much each that passes quickens: where a tenth may be missing, by a tenth in ten waits, of 30 requests or more each. */
  function speedUpFor(nextGap: number, holdMs: number): number {
    const change = Math.abs(nextGap / learned - 1);
    const share = streak === 0 ? doubt.most : Math.min(nextGap / gap - 1, change, doubt.most);
    return (2 * Math.max(share, doubt.least) ** 3) / Math.max(steady, holdMs / nextGap) ** 2;
  }

  return {
    nextStart: (now: number) => last + currentGap(now),
    start: (now: number): RateTicket => {
      const isTrial = gap > 0 && now - last <= gap * margin + 1;
      if (now - last > idleMs) [since, passed] = [now, 0];
      last = now;
      return { step, isTrial };
    },
    /** A request passed. */
    passed: (now: number, ticket: RateTicket) => {
      if (ticket.step === step) streak += 1;
      // What was refused in a row is one measurement, up to the first that passes again.
      if (streak === 1 && step > 0) [since, passed] = [now, 0];
      passed += 1;
      if (ticket.isTrial && ticket.step === step) gap *= 1 - Math.min(speedUp * streak, mostAtOnce);
    },
    /** The gap that passing requests and a wait of so long add up to; Infinity while none has passed. */
    measure,
    /** A rate limit refused one, and nothing starts for so long; returns the gap learned, undefined where it was given. */
    refused: (now: number, holdMs: number): number | undefined => {
      longestHold = Math.max(longestHold, holdMs);
      margins = streak < steady ? Math.min(margins * 2, mostMargins) : 1;
      const slowest = passed < enough ? Math.max(gap * guess.slower, guess.gapMs) : guess.most;
      const least = measure(now, Math.max(0, holdMs - roundedMs));
      const slowed = Math.min(gap * margin ** margins, measure(now, holdMs));
      const measured = Math.max(least, measure(since, holdMs), slowed);
      const next = Math.max(fastest, Math.min(measured, slowest, longestHold + roundedMs, guess.most));
      speedUp = speedUpFor(next, holdMs);
      begin(now, next);
      return gap;
    },
    /** Whether a refusal now would come sooner than a pace that was quickened explains. */
    isSteady: () => streak < steady,
    /** No rate limit is known any more. */
    forget,
    /** Milliseconds between two requests; undefined where nothing limits them. */
    gapMs: (now: number) => currentGap(now) || undefined,
  };
}
