import { parsedJson } from '../../model/json-object.ts';
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
