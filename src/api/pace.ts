/*
 * How fast requests may follow each other: as somebody wrote it down, or as the service's refusals teach it.
 *
 * A refusal tells how much passes: what has passed since the last one, over that time and the wait that is asked for.
 * That is the pace from then on, a little slower; after few requests it is a guess, and kept near the pace before. From
 * there it quickens, slowly at first and ever faster, so that a limit is felt for rarely and one that is gone is soon
 * forgotten. Feeling for a limit is done by one request at a time, so each refusal costs one request; several are
 * under way at once only at a pace that so many have passed at already. What comes by chance, whatever the pace, would
 * make it slower and slower; but who has waited for as long as was asked is let through by any limit, so that no gap has
 * to be longer than the longest wait so far.
 */

import type { Rate } from './rate.ts';

/** When the next request may start. */
export interface Pace {
  /** A time, or Infinity: not before one that is under way is over. */
  readonly nextStart: (now: number, underWay: number) => number;
  readonly start: (now: number) => Ticket;
  /** A request was let through. */
  readonly passed: (now: number, ticket: Ticket) => void;
  /** One was refused, and nothing starts for so long; answers the gap that was learned, undefined where that was known. */
  readonly refused: (now: number, holdMs: number, ticket: Ticket) => number | undefined;
}

/** What a request says about the pace it was started at. */
export interface Ticket {
  /** Counts what was learned; what was sent before a step says nothing about the pace after it. */
  readonly step: number;
  /** It followed the one before as soon as the pace allowed. */
  readonly isTrial: boolean;
}

// So much of a quota may go at once; the rest is spread evenly, and both together fit into every window.
const burstShare = 0.04;

/** Keeps a rate that is known. */
export function givenPace({ requests, perMs }: Rate): Pace {
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
    refused: () => undefined,
  };
}

const guess = { gapMs: 100, most: 60_000, slower: 2 };
const margin = 1.03;
const enough = 20;
// A wait is asked for in whole seconds.
const roundedMs = 1_000;
const quicker = { each: 8e-6, most: 0.02 };
// After such a pause a new measurement begins.
const idleMs = 60_000;
// After so long without a refusal it is as if there had been none.
const forgottenMs = 600_000;

/** Learns a pace from what is refused; without a refusal, nothing is held back. */
export function learnedPace(): Pace {
  let step = 0;
  let stepAt = 0;
  let gap = 0;
  let last = -Infinity;
  let longestHold = 0;
  // What is being measured: from when, and how many have passed.
  let since = 0;
  let passed = 0;
  // Since the last step: when the first was started, how many have passed, and how far apart.
  let released = Infinity;
  let streak = 0;
  let proven = 0;

  return {
    nextStart: (now, underWay) => {
      if (gap < 1 || now - stepAt > forgottenMs) [gap, proven] = [0, 0];
      return last + (underWay === 0 ? gap : Math.max(gap, proven));
    },
    start: (now) => {
      const isTrial = gap > 0 && now - last <= gap * margin + 1;
      if (now - last > idleMs) [since, passed] = [now, 0];
      last = now;
      released = Math.min(released, now);
      return { step, isTrial };
    },
    passed: (now, ticket) => {
      if (ticket.step === step) streak += 1;
      // What was refused in a row is one measurement, up to the first that passes again.
      if (streak === 1 && step > 0) [since, passed] = [released, 0];
      passed += 1;
      if (streak >= enough && gap > 0) proven = (now - released) / streak;
      if (ticket.isTrial && ticket.step === step) gap *= 1 - Math.min(quicker.each * streak, quicker.most);
    },
    refused: (now, holdMs, ticket) => {
      if (ticket.step !== step) return undefined;
      const measured = passed === 0 ? Infinity : ((now - since + holdMs) / passed) * margin;
      const slowest = passed < enough ? Math.max(gap * guess.slower, guess.gapMs) : guess.most;
      longestHold = Math.max(longestHold, holdMs);
      gap = Math.min(Math.max(measured, gap * margin), slowest, longestHold + roundedMs, guess.most);
      [step, stepAt, streak, proven, released] = [step + 1, now, 0, Infinity, Infinity];
      return gap;
    },
  };
}
