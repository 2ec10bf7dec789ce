import type { Diagnostic, SourceLocation } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';

/** Diagnostics as a person reads them: where, what, the line with a caret, and what to do. One blank line between two. */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(diagnosticText).join('\n');
}

function diagnosticText({ severity, code, message, hint, place, address, related = [] }: Diagnostic): string {
  const where = place === undefined ? (address === undefined ? '' : ` ${safeText(address)}`) : ` ${spot(place)}`;
  const lines = [
    `${severity}[${code}]${where}: ${safeText(message)}`,
    ...excerpt(place),
    ...related.flatMap((other) => [`   ${spot(other.place)}: ${safeText(other.message)}`, ...excerpt(other.place)]),
    ...(hint === undefined ? [] : [`   hint: ${safeText(hint)}`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function spot({ file, line, col }: SourceLocation): string {
  return `${safeText(file)}:${line}:${col}`;
}

/** The line, and under it the caret, where hidden characters are written out. */
export function excerpt(place: SourceLocation | undefined): string[] {
  if (place?.excerpt === undefined) return [];
  const { excerpt: text, line, col, caret = col, span = 1 } = place;
  const number = `${String(line).padStart(5)} | `;
  const before = safeText(text.slice(0, caret - 1));
  const marked = safeText(text.slice(caret - 1, caret - 1 + span));
  const margin = `${' '.repeat(number.length - 2)}| `;
  return [
    `${number}${before}${marked}${safeText(text.slice(caret - 1 + span))}`.trimEnd(),
    `${margin}${' '.repeat(widthOf(before))}${'^'.repeat(Math.max(1, widthOf(marked)))}`,
  ];
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
