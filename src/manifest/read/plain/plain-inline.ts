import { type Written, refusedKeys } from '../written.ts';
import { keyLength, doubt } from './plain-lines.ts';

/** A value that ends on its line, and the offset after it. */
export interface InlineValue {
  readonly value: Written;
  readonly end: number;
}

/** The key that begins at an offset. */
export function keyAt(text: string, from: number): string {
  const key = text.slice(from, from + keyLength(text, from));
  if (key === '' || refusedKeys.has(key) || typeof plainScalar(key) !== 'string') throw doubt;
  return key;
}

/** A plain or quoted scalar or a flow collection in a block collection; in `starts` it notes mappings in lists. */
export function inlineValue(
  text: string,
  from: number,
  lineEnd: number,
  starts: WeakMap<object, number>,
  depth: number,
): InlineValue {
  switch (text[from]) {
    case '[':
    case '{':
      return flow(text, from, lineEnd, starts, depth);
    case '"':
    case "'":
      return quoted(text, from, lineEnd);
    default:
      return plainOnLine(text, from, lineEnd);
  }
}

function flow(
  text: string,
  from: number,
  lineEnd: number,
  starts: WeakMap<object, number>,
  depth: number,
): InlineValue {
  if (depth <= 0) throw doubt;
  if (text[from] === '[') return flowList(text, from, lineEnd, starts, depth);
  if (text[from] === '{') return flowMapping(text, from, lineEnd, starts, depth);
  if (text[from] === '"' || text[from] === "'") return quoted(text, from, lineEnd);
  return plainInFlow(text, from, lineEnd);
}

function flowList(
  text: string,
  from: number,
  lineEnd: number,
  starts: WeakMap<object, number>,
  depth: number,
): InlineValue {
  const value: Written[] = [];
  let at = skipSpaces(text, from + 1);
  while (text[at] !== ']') {
    const item = flow(text, at, lineEnd, starts, depth - 1);
    if (typeof item.value === 'object' && item.value !== null && !Array.isArray(item.value)) starts.set(item.value, at);
    value.push(item.value);
    at = afterItem(text, item.end, lineEnd, ']');
  }
  return { value, end: at + 1 };
}

function flowMapping(
  text: string,
  from: number,
  lineEnd: number,
  starts: WeakMap<object, number>,
  depth: number,
): InlineValue {
  const value: Record<string, Written> = {};
  let at = skipSpaces(text, from + 1);
  while (text[at] !== '}') {
    const key = keyAt(text, at);
    if (Object.hasOwn(value, key)) throw doubt;
    const begin = skipSpaces(text, at + key.length + 1);
    const item = flow(text, begin, lineEnd, starts, depth - 1);
    value[key] = item.value;
    at = afterItem(text, item.end, lineEnd, '}');
  }
  return { value, end: at + 1 };
}

/** Where the next item begins, or the closing bracket. */
function afterItem(text: string, end: number, lineEnd: number, closing: string): number {
  const at = skipSpaces(text, end);
  if (at >= lineEnd) throw doubt;
  if (text[at] === closing) return at;
  const next = skipSpaces(text, at + 1);
  // A comma at the end is left to the full parser.
  if (text[at] !== ',' || text[next] === closing) throw doubt;
  return next;
}

// One line, no escapes but a doubled single quote.
function quoted(text: string, from: number, lineEnd: number): InlineValue {
  const quote = text[from] ?? '';
  let end = text.indexOf(quote, from + 1);
  while (quote === "'" && text[end + 1] === "'") end = text.indexOf(quote, end + 2);
  if (end === -1 || end >= lineEnd) throw doubt;
  const inner = text.slice(from + 1, end);
  if (quote === '"' && inner.includes('\\')) throw doubt;
  return { value: quote === "'" ? inner.replaceAll("''", "'") : inner, end: end + 1 };
}

const plainInBlock = /[^\s#[\]{},&*!|>'"%@`?:-][^\n#:]*(?:(?:(?<! )#|:(?! |\n|$))[^\n#:]*)*/y;

function plainOnLine(text: string, from: number, lineEnd: number): InlineValue {
  return plain(text, from, lineEnd, plainInBlock);
}

const plainOfFlow = /[^\s#[\]{},&*!|>'"%@`?:-][^\n#:,[\]{}]*(?:(?:(?<! )#|:(?![ \n,[\]{}]|$))[^\n#:,[\]{}]*)*/y;

function plainInFlow(text: string, from: number, lineEnd: number): InlineValue {
  return plain(text, from, lineEnd, plainOfFlow);
}

function plain(text: string, from: number, lineEnd: number, pattern: RegExp): InlineValue {
  // A minus may begin a number; other scalars that begin so are left to the full parser.
  pattern.lastIndex = from;
  if (!pattern.test(text) || pattern.lastIndex > lineEnd) throw doubt;
  const source = text.slice(from, pattern.lastIndex).trimEnd();
  return { value: plainScalar(source), end: from + source.length };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 0x20) at += 1;
  return at;
}

/** What a plain scalar means in YAML's core schema. Numbers that are more than digits and a point are left to the full parser. */
function plainScalar(source: string): string | number | boolean | null {
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
