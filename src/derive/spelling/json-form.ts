import { isTooDeep } from '../../kinds/nesting.ts';
import { sortedJson } from '../sorted-json.ts';
import { parseMarked } from './marked-json.ts';

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
