// Watches that started together do not stay in step.
const spread = 0.1;

/** The time until the next refresh, in milliseconds: the interval, a little more or less by chance. */
export function nextRefreshMs(intervalMs: number, random: () => number): number {
  return intervalMs * (1 - spread + 2 * spread * random());
}

/** The shortest time between two scheduled refreshes, in milliseconds. */
export function shortestRefreshMs(intervalMs: number): number {
  return intervalMs * (1 - spread);
}
