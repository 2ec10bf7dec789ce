import { limits } from '../read/limits.ts';

/** What is wrong with a JSON text, and at which offset. */
export interface JsonProblem {
  readonly code: 'SYNTAX_ERROR' | 'TOO_DEEP';
  readonly message: string;
  readonly offset: number;
}

const token =
  /[ \t\r\n]*(?:([{}[\],:])|("[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\p{Cc}]*)*")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null)(?![\w.+-]))/uy;

/** The first problem of a text that should be JSON. The parser of the platform repeats the text in its messages, which may contain secrets; this never does. */
export function jsonProblem(text: string): JsonProblem | undefined {
  const open: string[] = [];
  // What may come next: a value, a key, a colon, or a comma; the first item or key may also be the end.
  let next: 'value' | 'key' | 'colon' | 'comma' = 'value';
  let isFirst = false;
  for (token.lastIndex = 0; ;) {
    const start = token.lastIndex;
    const [whole, mark, string] = token.exec(text) ?? [];
    if (whole === undefined) return atEnd(text, start, open.length === 0 && next === 'comma');
    const wrong = {
      code: 'SYNTAX_ERROR',
      message: 'not valid JSON',
      offset: token.lastIndex - whole.trim().length,
    } as const;
    const isClose = mark === '}' || mark === ']';
    if (isClose) {
      if (open.pop() !== (mark === '}' ? '{' : '[') || !(next === 'comma' || isFirst)) return wrong;
      next = 'comma';
    } else if (open.length === 0 && next === 'comma') return wrong;
    else if (mark === ':' || mark === ',') {
      if (next !== (mark === ':' ? 'colon' : 'comma')) return wrong;
      next = mark === ',' && open.at(-1) === '{' ? 'key' : 'value';
    } else if (next === 'key') {
      if (string === undefined) return wrong;
      next = 'colon';
    } else if (next !== 'value') return wrong;
    else if (mark === undefined) next = 'comma';
    else {
      open.push(mark);
      next = mark === '{' ? 'key' : 'value';
      if (open.length > limits.depth * 4)
        return {
          ...wrong,
          code: 'TOO_DEEP',
          message: `the JSON text is nested more than ${String(limits.depth * 4)} levels deep`,
        };
    }
    isFirst = mark === '{' || mark === '[';
  }
}

function atEnd(text: string, start: number, isWhole: boolean): JsonProblem | undefined {
  const rest = /[^ \t\r\n]/.exec(text.slice(start));
  if (rest === null && isWhole) return undefined;
  const offset = rest === null ? text.length : start + rest.index;
  return { code: 'SYNTAX_ERROR', message: rest === null ? 'the JSON text ends too early' : 'not valid JSON', offset };
}
