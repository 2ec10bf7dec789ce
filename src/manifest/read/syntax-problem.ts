import type { ErrorCode } from 'yaml';
import type { Code } from '../../diagnostics/codes.ts';

/** Something wrong with a stretch of a file's text, by offsets. */
export interface SyntaxProblem {
  readonly code: Code;
  readonly range: readonly [number, number];
  readonly message: string;
  readonly hint?: string;
  readonly related?: { readonly message: string; readonly range: readonly [number, number] };
}

// The parser's own messages repeat what was written, which may be a secret; these never do.
const meanings: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS:
    'an unquoted `*` begins an alias, which must refer to an earlier anchor; put text that begins with `*` in quotes',
  BAD_DIRECTIVE: 'unknown YAML directive',
  BAD_DQ_ESCAPE: 'invalid escape sequence; write a backslash as \\\\ or use single quotes',
  BAD_INDENT: 'the indentation does not match the lines above',
  BAD_SCALAR_START: 'a plain string cannot begin with this character; put the string in quotes',
  BLOCK_AS_IMPLICIT_KEY:
    'a mapping or list cannot begin here; check the indentation of the next line, or put the text in quotes',
  BLOCK_IN_FLOW: 'an indented mapping or list is not allowed inside brackets',
  KEY_OVER_1024_CHARS: 'the key is longer than 1024 characters',
  MISSING_CHAR: 'a colon, comma, quote or closing bracket is missing',
  MULTILINE_IMPLICIT_KEY: 'a key must be on one line, followed by a colon and a space',
  TAB_AS_INDENT: 'tabs cannot be used for indentation; use spaces',
  TAG_RESOLVE_FAILED: 'YAML tags such as `!name` are not supported',
  UNEXPECTED_TOKEN: 'unexpected text; put the whole value in quotes',
};

/** What is wrong with the YAML, in words that repeat nothing of it. */
export function syntaxMessage(code: ErrorCode): string {
  return meanings[code] ?? 'not valid YAML';
}
