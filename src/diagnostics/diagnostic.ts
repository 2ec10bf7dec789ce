import type { Code } from './codes.ts';

/** A spot in a file: 1-based line and column, and the text of that line made safe to print. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  /** The line as it may be shown (decisions/0035: scalars that may be secret are already `…`), and how many columns the caret spans. */
  readonly excerpt?: string;
  readonly span?: number;
  /** The column of the excerpt under which the caret stands, where hiding scalars or shortening moved it; else `col`. */
  readonly caret?: number;
}

/** A spot in a file as a person reads it: `file:line`. */
export function placeText({ file, line }: Pick<SourceLocation, 'file' | 'line'>): string {
  return `${file}:${line}`;
}

/** How grave a diagnostic may be, the worst first. */
export const severities = ['error', 'warning', 'note'] as const;

/** A finding for the user: what is wrong, where, and what to do. A value that is collected, and never thrown for a single mistake. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: (typeof severities)[number];
  readonly message: string;
  readonly hint?: string;
  readonly place?: SourceLocation;
  /** The resource it is about, `Kind/name`. */
  readonly address?: string;
  /** Others whose changes must not be made without the change of that resource either. */
  readonly heldBack?: readonly string[];
  /** Other spots that take part, such as the first of two equal names. */
  readonly related?: readonly { readonly message: string; readonly place: SourceLocation }[];
}

/** Whether any of them forbids going on. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** By file, line and column, those without a place last; equal ones once. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const once = diagnostics.filter((diagnostic) => {
    const key = JSON.stringify(diagnostic);
    return !seen.has(key) && seen.add(key);
  });
  return once.sort((a, b) => rank(a).localeCompare(rank(b), 'en'));
}

function rank({ place, code, message }: Diagnostic): string {
  const spot =
    place === undefined
      ? '\u{10ffff}'
      : `${place.file}\0${String(place.line).padStart(9, '0')}\0${String(place.col).padStart(9, '0')}`;
  return `${spot}\0${code}\0${message}`;
}
