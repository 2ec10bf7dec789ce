import { doubt } from './doubt.ts';

/** What a plain scalar means in YAML's core schema. Numbers that are more than digits and a point are left to the full parser. */
export function plainScalar(source: string): string | number | boolean | null {
  const first = source.charCodeAt(0);
  // Digits, signs and dots begin numbers; `~`, and the letters of true, false and null, the words.
  if (
    first > 0x39
      ? !firstOfWords.has(source[0] ?? '')
      : first !== 0x2b && first !== 0x2d && first !== 0x2e && first < 0x30
  )
    return source;
  if (simple.test(source)) return Number(source);
  if (numeric.test(source)) throw doubt;
  return words.has(source) ? (words.get(source) ?? null) : source;
}

const firstOfWords = new Set('tTfFnN~');
const simple = /^(?:(?:0|[1-9][0-9]{0,14})|(?:0|[1-9][0-9]{0,8})\.[0-9]{1,6})$/;
const numeric =
  /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?[0-9]+|[-+]?(?:\.[0-9]+|[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const words = new Map<string, boolean | null>([
  ...['true', 'True', 'TRUE'].map((word): [string, boolean] => [word, true]),
  ...['false', 'False', 'FALSE'].map((word): [string, boolean] => [word, false]),
  ...['null', 'Null', 'NULL', '~'].map((word): [string, null] => [word, null]),
]);
