/** One measured ratio with what it should be at most. */
export interface Line {
  readonly what: string;
  readonly figure: number;
  readonly most: number;
  readonly unit?: string;
  /** What it was reckoned from. */
  readonly from?: string;
}

/** A line as the table shows it. */
export function lineText({ what, figure, most, unit = '', from }: Line): string {
  const verdict = figure <= most ? 'pass' : 'MISS';
  const digits = most < 10 ? 3 : 1;
  return `${verdict}  ${figure.toFixed(digits).padStart(8)}${unit.padEnd(4)} target ${String(most).padEnd(6)} ${what}${from === undefined ? '' : `  (${from})`}`;
}

/** The smallest of several measurements: noise only ever adds. */
export async function best<T>(times: number, measure: () => Promise<T>, cost: (one: T) => number): Promise<T> {
  let found = await measure();
  for (let again = 1; again < times; again++) {
    const one = await measure();
    if (cost(one) < cost(found)) found = one;
  }
  return found;
}
