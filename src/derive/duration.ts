/** Seconds in each unit, the longest first. */
const units = [
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** The longest duration, in seconds: a century. */
export const longestSeconds = 100 * 365 * 86_400;

/** How a duration is written, as a regular expression for schemas. */
export const durationPattern = '^[1-9][0-9]{0,8}[wdhms]$';

/** The seconds of a duration such as `90d` or `12h`; undefined for what is none, or is longer than a century. */
export function secondsIn(text: string): number | undefined {
  if (!new RegExp(durationPattern).test(text)) return undefined;
  const [, perUnit] = units.find(([unit]) => text.endsWith(unit)) ?? units[4];
  const seconds = Number(text.slice(0, -1)) * perUnit;
  return seconds <= longestSeconds ? seconds : undefined;
}

/** A duration as a person would write it: `90d`, but never in weeks. */
export function durationText(seconds: number): string {
  const [unit, perUnit] = units.slice(1).find(([, each]) => seconds % each === 0) ?? units[4];
  return `${String(seconds / perUnit)}${unit}`;
}
