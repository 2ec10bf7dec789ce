import { caseNamed, casesOf, deathsOf, modeOf, pairsOf, type Case } from './cases.ts';
import type { Prepared } from './prepare.ts';
import { servers } from './servers.ts';

/** The cases that `MATRIX` asks for: all, those of some modes, so many pairs of faults drawn by a seed, or one by its name. */
export function selected(text: string, legs: readonly Prepared[]): Case[] {
  if (text.includes('/')) return [caseNamed(text, servers)];
  const pairs = /^pairs(?:=(\d+)(?:@(\d+))?)?$/.exec(text);
  if (pairs !== null) {
    const [, count = 50_000, seed = 0] = pairs;
    return legs.flatMap((leg) => pairsOf(leg, Math.ceil(Number(count) / legs.length), Number(seed)));
  }
  const all = legs.flatMap((leg) => [...casesOf(leg), ...deathsOf(leg)]);
  if (text === 'whole') return all;
  const modes = text.split(',');
  return all.filter(({ faults: [fault] }) => modes.includes(fault === undefined ? 'dies' : modeOf(fault)));
}

/** One of several equal shares of all, none of which has what another has: `2/4` is the second of four. */
export function shareOf<T>(all: readonly T[], text: string): T[] {
  const [, nth = '1', of = '1'] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  return all.filter((_, at) => at % Number(of) === Number(nth) - 1);
}
