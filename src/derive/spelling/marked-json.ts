import { isTooDeep } from '../../kinds/nesting.ts';
import { parsedJson } from '../../model/json-object.ts';
import { sortedJson } from '../sorted-json.ts';
/*
 * JSON without losing a digit: JSON.parse makes 12345678901234567891 and ...890 the same number. Every text gets an `s` in
 * front, every number becomes a text with an `n` in front; what JSON.parse makes of that can be changed and printed again.
 */

const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** JSON text as a value in which texts begin with `s` and numbers, as `numberAs` writes them, with `n`; undefined for what is no JSON. */
export function parseMarked(text: string, numberAs: (number: string) => string = (number) => number): unknown {
  if (parsedJson(text) === undefined) return undefined;
  return JSON.parse(
    text.replaceAll(tokens, (token) => (token.startsWith('"') ? `"s${token.slice(1)}` : `"n${numberAs(token)}"`)),
  );
}

/** Such a value as JSON text again. */
export function printMarked(value: unknown): string {
  return JSON.stringify(value).replaceAll(tokens, (token) =>
    token.startsWith('"s') ? `"${token.slice(2)}` : token.slice(2, -1),
  );
}

/** JSON text in one spelling: keys in order, no white space, numbers by their exact value. Undefined for what is no JSON. */
export function jsonForm(text: string): string | undefined {
  const value = isTooDeep(text) ? undefined : parseMarked(text, exactly);
  return value === undefined ? undefined : sortedJson(value);
}

/** A decimal number in one spelling, whatever its size: 1.0 and 10e-1 are 1e0. */
function exactly(number: string): string {
  const [, sign = '', whole = '', part = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${part}`.replace(/^0+/, '');
  // Only where zeros begin: a number of zeros would take quadratic time.
  const short = digits.replace(/(?<!0)0+$/, '');
  if (short === '') return '0';
  const power = BigInt(exponent) - BigInt(part.length) + BigInt(digits.length - short.length);
  return `${sign}${short}e${String(power)}`;
}
