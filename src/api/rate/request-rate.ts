/*
 * How fast requests may follow each other: at a rate that is given, or at one learned from refusals.
 *
 * A refusal by a rate limit shows how much passes: what has passed since the last one, over that time and the wait that
 * is asked for. That is the pace from then on, a little slower; after few requests it is a guess, and kept near the pace
 * before. From there it quickens, slowly at first and ever faster, so that a limit is probed for rarely and one that is
 * gone is soon forgotten. Whoever has waited for as long as was asked passes any limit, so no gap is longer than the
 * longest wait so far. Refusals that no rate explains never come here (refusal-run.ts).
 */

import type { Rate } from './rate.ts';

/** When the next request may start. */
export interface RequestRate {
  readonly nextStart: (now: number) => number;
  readonly start: (now: number) => RateTicket;
  /** A request passed. */
  readonly passed: (now: number, ticket: RateTicket) => void;
  /** The gap that passing requests and a wait of so long add up to; Infinity while none has passed. */
  readonly measure: (now: number, holdMs: number) => number;
  /** A rate limit refused one, and nothing starts for so long; returns the gap learned, undefined where it was given. */
  readonly refused: (now: number, holdMs: number) => number | undefined;
  /** Whether a refusal now would come sooner than a pace that was quickened explains. */
  readonly isSteady: () => boolean;
  /** No rate limit is known any more. */
  readonly forget: (now: number) => void;
  /** Milliseconds between two requests; undefined where nothing limits them. */
  readonly gapMs: (now: number) => number | undefined;
}

/** What a request shows about the pace it was started at. */
export interface RateTicket {
  /** Counts lessons; what was sent before one shows nothing about the pace after it. */
  readonly step: number;
  /** It followed the one before as soon as the pace allowed. */
  readonly isTrial: boolean;
}

// So much of a quota may start at once; the rest is spread evenly, and both together fit into every window.
const burstShare = 0.04;

/** Keeps a rate that is known. */
export function fixedRate({ requests, perMs }: Rate): RequestRate {
  const burst = Math.max(1, Math.floor(requests * burstShare));
  const gap = perMs / Math.max(1, requests - burst);
  let next = -Infinity;
  return {
    nextStart: () => next,
    start: (now) => {
      next = Math.max(next, now - (burst - 1) * gap) + gap;
      return { step: 0, isTrial: false };
    },
    passed: () => undefined,
    measure: () => gap,
    refused: () => undefined,
    isSteady: () => true,
    forget: () => undefined,
    gapMs: () => perMs / requests,
  };
}

const guess = { gapMs: 100, most: 60_000, slower: 2 };
const margin = 1.03;
const enough = 20;
const steady = 30;
const sure = 50;
// A wait is asked for in whole seconds.
const roundedMs = 1_000;
const speedUp = { each: 8e-6, most: 0.02 };
// How much faster it quickens where a rounded wait is much of what was measured, and from which share on.
const unsure = { times: 100, from: 1.1, most: 2 };
// After such a pause a new measurement begins.
const idleMs = 60_000;
// After so long without a refusal it is as if there had been none.
const forgottenMs = 600_000;

/** Learns a pace from what is refused; without a refusal, nothing is held back. */
export function learnedRate(): RequestRate {
  let step = 0;
  let stepAt = 0;
  let gap = 0;
  let last = -Infinity;
  let longestHold = 0;
  // What is being measured: from when, and how many have passed.
  let since = 0;
  let passed = 0;
  // Since the last step: when the first was started, and how many have passed.
  let released = Infinity;
  let streak = 0;
  let each = speedUp.each;

  function begin(now: number, nextGap: number): void {
    [step, stepAt, streak, released, gap] = [step + 1, now, 0, Infinity, nextGap];
  }
  function measure(now: number, holdMs: number): number {
    return passed === 0 ? Infinity : ((now - since + holdMs) / passed) * margin;
  }
  function currentGap(now: number): number {
    if (gap < 1 || now - stepAt > forgottenMs) gap = 0;
    return gap;
  }

  return {
    nextStart: (now) => last + currentGap(now),
    start: (now) => {
      const isTrial = gap > 0 && now - last <= gap * margin + 1;
      if (now - last > idleMs) [since, passed] = [now, 0];
      last = now;
      released = Math.min(released, now);
      return { step, isTrial };
    },
    passed: (_, ticket) => {
      if (ticket.step === step) streak += 1;
      // What was refused in a row is one measurement, up to the first that passes again.
      if (streak === 1 && step > 0) [since, passed] = [released, 0];
      passed += 1;
      if (ticket.isTrial && ticket.step === step) gap *= 1 - Math.min(each * streak, speedUp.most);
    },
    measure,
    refused: (now, holdMs) => {
      const slowest = passed < enough ? Math.max(gap * guess.slower, guess.gapMs) : guess.most;
      longestHold = Math.max(longestHold, holdMs);
      const least = measure(now, Math.max(0, holdMs - roundedMs));
      const doubt = measure(now, holdMs) / least;
      const measured = streak < sure ? measure(now, holdMs) : least;
      each = speedUp.each * (1 + unsure.times * Math.max(0, Math.min(doubt || 1, unsure.most) - unsure.from));
      begin(now, Math.min(Math.max(measured, gap * margin), slowest, longestHold + roundedMs, guess.most));
      return gap;
    },
    isSteady: () => streak < steady,
    forget: (now) => {
      begin(now, 0);
      [since, passed, longestHold] = [now, 0, 0];
    },
    gapMs: (now) => currentGap(now) || undefined,
  };
}
