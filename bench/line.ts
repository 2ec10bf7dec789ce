/** One measured ratio with what it should be at most, if there is a target. */
export interface Line {
  readonly what: string;
  readonly figure: number;
  readonly most?: number;
  readonly unit?: string;
  /** What it was reckoned from. */
  readonly from?: string;
  /** It does not depend on the machine, nor on what else runs there. */
  readonly isExact?: true;
}

/** A line as the table shows it, beside what was recorded. */
export function lineText({ what, figure, most, unit = '', from }: Line, recorded = ''): string {
  const digits = (most ?? 0) < 10 ? 3 : 1;
  const cells = [
    (most === undefined ? '' : figure <= most ? 'pass' : 'MISS').padEnd(5),
    `${figure.toFixed(digits)}${unit}`.padStart(12),
    String(most ?? '').padStart(8),
    recorded.slice(0, 16).padStart(18),
  ];
  return `${cells.join('')}  ${what}${from === undefined ? '' : `  (${from})`}`;
}

/** The heads of these columns. */
export const lineHeads = `${''.padEnd(5)}${'now'.padStart(12)}${'target'.padStart(8)}${'recorded'.padStart(18)}`;

/** The smallest of several measurements: noise only ever adds. */
export async function best<T>(times: number, measure: () => Promise<T>, cost: (one: T) => number): Promise<T> {
  let found = await measure();
  for (let again = 1; again < times; again++) {
    const one = await measure();
    if (cost(one) < cost(found)) found = one;
  }
  return found;
}
