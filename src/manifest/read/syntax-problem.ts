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
  BAD_ALIAS: 'an alias must name an anchor that stands before it',
  BAD_DIRECTIVE: 'not a directive that YAML knows',
  BAD_DQ_ESCAPE: 'not an escape that YAML knows; write a backslash as \\\\ or use single quotes',
  BAD_INDENT: 'the indentation does not fit what stands above',
  BAD_SCALAR_START: 'text must not begin with this character; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a mapping or list cannot begin here; start it on a new line, or put the text in quotes',
  BLOCK_IN_FLOW: 'inside brackets, everything must be written in brackets',
  KEY_OVER_1024_CHARS: 'the key is too long',
  MISSING_CHAR: 'something is missing here: a colon, a comma, a quote, or a closing bracket',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line, with a colon after it',
  TAB_AS_INDENT: 'tabs cannot indent; use spaces',
  TAG_RESOLVE_FAILED: 'tags such as `!name` are not used in manifests',
  UNEXPECTED_TOKEN: 'not expected here',
};

/** What is wrong with the YAML, in words that repeat nothing of it. */
export function syntaxMessage(code: ErrorCode): string {
  return meanings[code] ?? 'not valid YAML';
}
