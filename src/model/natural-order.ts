import { compareText } from './compare-text.ts';

/** Orders names as people count: `r2` before `r10`. Equal only where the texts are. So many characters at their beginning are known to be the same. */
export function inNaturalOrder(a: string, b: string, same = 0): number {
  return fromWhereTheyDiffer(a, b, same) || compareText(a, b);
}

function fromWhereTheyDiffer(a: string, b: string, same: number): number {
  const most = Math.min(a.length, b.length);
  let at = same;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  // The number in which they differ may begin before.
  while (at > 0 && isDigit(a, at - 1)) at--;
  const left = endOfDigits(a, at);
  const right = endOfDigits(b, at);
  if (left === at || right === at) return compareText(a.slice(at), b.slice(at));
  // Without zeros before them, the longer number is the larger one.
  if (left !== right && !a.startsWith('0', at) && !b.startsWith('0', at)) return left - right;
  return byNumber(a.slice(at, left), b.slice(at, right)) || inNaturalOrder(a.slice(left), b.slice(right));
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at++;
  return at;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Of any length, without the limits of numbers. */
function byNumber(a: string, b: string): number {
  const left = withoutZeros(a);
  const right = withoutZeros(b);
  return left.length - right.length || compareText(left, right);
}

function withoutZeros(digits: string): string {
  return digits.startsWith('0') ? digits.replace(/^0+/, '') : digits;
}
