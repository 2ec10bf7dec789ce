/** A time as a part of a name: names of later times come later in order. */
export function timeInName(time: Date): string {
  return time.toISOString().replace(/[-:.]/g, '');
}
