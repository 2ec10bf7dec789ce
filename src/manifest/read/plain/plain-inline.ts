import { type Written, refusedKeys } from '../written.ts';
import { doubt, keyLength, type PlainLines } from './plain-lines.ts';

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

type Starts = WeakMap<object, number>;

/** A plain or quoted scalar or a flow collection on the current line; in `starts` it notes mappings in lists. */
export function inlineValue(
  lines: PlainLines,
  from: number,
  starts: Starts,
  depth: number,
  plain = plainInBlock,
): InlineValue {
  switch (lines.text[from]) {
    case '[':
      return flowList(lines, from, starts, depth);
    case '{':
      return flowMapping(lines, from, starts, depth);
    case '"':
    case "'":
      return quoted(lines, from);
    default:
      return plainValue(lines, from, plain);
  }
}

function flow(lines: PlainLines, from: number, starts: Starts, depth: number): InlineValue {
  if (depth <= 0) throw doubt;
  return inlineValue(lines, from, starts, depth, plainInFlow);
}

function flowList(lines: PlainLines, from: number, starts: Starts, depth: number): InlineValue {
  const value: Written[] = [];
  let at = lines.skipSpaces(from + 1);
  while (lines.text[at] !== ']') {
    const item = flow(lines, at, starts, depth - 1);
    if (typeof item.value === 'object' && item.value !== null && !Array.isArray(item.value)) starts.set(item.value, at);
    value.push(item.value);
    at = afterItem(lines, item.end, ']');
  }
  return { value, end: at + 1 };
}

function flowMapping(lines: PlainLines, from: number, starts: Starts, depth: number): InlineValue {
  const value: Record<string, Written> = {};
  let at = lines.skipSpaces(from + 1);
  while (lines.text[at] !== '}') {
    const key = keyAt(lines.text, at);
    if (Object.hasOwn(value, key)) throw doubt;
    const item = flow(lines, lines.skipSpaces(at + key.length + 1), starts, depth - 1);
    value[key] = item.value;
    at = afterItem(lines, item.end, '}');
  }
  return { value, end: at + 1 };
}

/** Where the next item begins, or the closing bracket. */
function afterItem(lines: PlainLines, end: number, closing: string): number {
  const at = lines.skipSpaces(end);
  if (at >= lines.end) throw doubt;
  if (lines.text[at] === closing) return at;
  const next = lines.skipSpaces(at + 1);
  // A comma at the end is left to the full parser.
  if (lines.text[at] !== ',' || lines.text[next] === closing) throw doubt;
  return next;
}

// No escapes but a doubled single quote.
function quoted({ text, end: lineEnd }: PlainLines, from: number): InlineValue {
  const quote = text[from] ?? '';
  let end = text.indexOf(quote, from + 1);
  while (quote === "'" && text[end + 1] === "'") end = text.indexOf(quote, end + 2);
  if (end === -1 || end >= lineEnd) throw doubt;
  const inner = text.slice(from + 1, end);
  if (quote === '"' && inner.includes('\\')) throw doubt;
  return { value: quote === "'" ? inner.replaceAll("''", "'") : inner, end: end + 1 };
}

const plainInBlock = /[^\s#[\]{},&*!|>'"%@`?:-][^\n#:]*(?:(?:(?<! )#|:(?! |\n|$))[^\n#:]*)*/y;
const plainInFlow = /[^\s#[\]{},&*!|>'"%@`?:-][^\n#:,[\]{}]*(?:(?:(?<! )#|:(?![ \n,[\]{}]|$))[^\n#:,[\]{}]*)*/y;

function plainValue({ text, end: lineEnd }: PlainLines, from: number, pattern: RegExp): InlineValue {
  // A minus may begin a number; other scalars that begin so are left to the full parser.
  pattern.lastIndex = from;
  if (!pattern.test(text) || pattern.lastIndex > lineEnd) throw doubt;
  const source = text.slice(from, pattern.lastIndex).trimEnd();
  return { value: plainScalar(source), end: from + source.length };
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
