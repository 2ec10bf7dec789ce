import { structuredPatch } from 'diff';
import { safeText } from '../diagnostics/safe-text.ts';
import type { Palette } from './palette.ts';
import { sizeText } from './value-text.ts';

// Comparing two long texts that share nothing takes minutes; a person reads no such difference anyway.
const bounds = { context: 2, timeout: 200, maxEditLength: 400 } as const;
const mostLines = 60;

/** The lines that differ between two texts, with a little around them; sizes and digests where that is too much. */
export function textDiff(before: string, after: string, palette: Palette): string[] {
  const patch = structuredPatch('', '', before, after, undefined, undefined, bounds);
  const lines = patch?.hunks.flatMap(({ oldStart, lines }) => [`@@ line ${oldStart}`, ...lines]);
  if (lines === undefined || lines.length > mostLines) return [`${sizeText(before)} -> ${sizeText(after)}`];
  return lines.map((line) => paint(line, palette));
}

function paint(line: string, palette: Palette): string {
  const text = safeText(line);
  if (line.startsWith('+')) return palette.added(text);
  return line.startsWith('-') ? palette.removed(text) : palette.quiet(text);
}
