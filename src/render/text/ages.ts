const units = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** A duration, rounded for people: `3 min`, `2 d`. */
export function durationShort(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  // What rounds to the next unit is in that unit: 59.5 min are 1 h.
  const unit = units.find(([, each], at) => seconds >= each - (units[at + 1]?.[1] ?? 0) / 2);
  return unit === undefined ? `${seconds} s` : `${Math.round(seconds / unit[1])} ${unit[0]}`;
}

/** A moment as seen from now: `3 min ago`, `in 2 d`. */
export function agoText(moment: number, now: number): string {
  return moment > now ? `in ${durationShort(moment - now)}` : `${durationShort(now - moment)} ago`;
}

/** A moment in RFC 3339, to the second; what is no moment at all is the beginning of time. */
export function momentText(moment: number): string {
  const date = new Date(moment);
  return `${(Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString().slice(0, 19)}Z`;
}

/** The earliest of some moments; undefined where none is known. */
export function earliest(moments: readonly (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** What is due, and has not begun. */
export const anyMoment = 'due now';
