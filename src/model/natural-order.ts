import { compareText } from './compare-text.ts';

const parts = /\d+|\D+/g;

/** Orders names as people count: `r2` before `r10`. Equal only where the texts are. */
export function inNaturalOrder(a: string, b: string): number {
  const [left, right] = [a.match(parts) ?? [], b.match(parts) ?? []];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const [one = '', other = ''] = [left[at], right[at]];
    const order = bothCount(one, other) ? byNumber(one, other) : compareText(one, other);
    if (order !== 0) return order;
  }
  return left.length - right.length || compareText(a, b);
}

function bothCount(a: string, b: string): boolean {
  return /^\d/.test(a) && /^\d/.test(b);
}

/** Of any length, without the limits of numbers. */
function byNumber(a: string, b: string): number {
  const [left, right] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')];
  return left.length - right.length || compareText(left, right);
}
