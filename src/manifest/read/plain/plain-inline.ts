import { refusedKeys } from '../refused-keys.ts';
import type { Written } from '../written.ts';
import { doubt } from './doubt.ts';
import { keyLength } from './plain-lines.ts';
import { plainScalar } from './plain-scalar.ts';

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
