import { structuredPatch } from 'diff';
import { safeText } from '../../diagnostics/safe-text.ts';
import { holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import type { SignedLine } from './signed-line.ts';
import { sizeText } from '../values/value-text.ts';

// Comparing two long texts that share nothing takes minutes; a person reads no such difference anyway.
const bounds = { context: 2, timeout: 1000, maxEditLength: 400 } as const;
const mostLines = 60;

/** A part of a difference: what comes and goes near each other. */
export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** What a part of a difference is about, as safe text; undefined: there is none. */
export type HunkHeading = (hunk: Hunk) => string | undefined;

/** Its line in the text as the manifest has it. */
const lineHeading: HunkHeading = ({ newStart }) => `line ${String(newStart)} of the text`;

/** The lines that differ between two texts, with a little around them; sizes and digests where that is too much. */
export function textDiff(before: string, after: string, headingOf = lineHeading): readonly SignedLine[] {
  if (holdsPrivateKey(before + after)) return sizes(before, after);
  // Where neither text ends its last line, that is not worth a remark.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n';
  const patch = structuredPatch('', '', before + end, after + end, undefined, undefined, bounds);
  const isOneLine = !before.includes('\n') && !after.includes('\n');
  const lines = patch?.hunks.flatMap((hunk): SignedLine[] => {
    const heading = isOneLine ? undefined : headingOf(hunk);
    return [...(heading === undefined ? [] : [{ sign: '@', text: heading } as const]), ...hunk.lines.map(signed)];
  });
  return lines === undefined || lines.length > mostLines ? sizes(before, after) : lines;
}

function sizes(before: string, after: string): readonly SignedLine[] {
  return [
    { sign: '-', text: sizeText(before) },
    { sign: '+', text: sizeText(after) },
  ];
}

function signed(line: string): SignedLine {
  const sign = line[0];
  if (sign !== '+' && sign !== '-' && sign !== ' ') return { sign: ' ', text: '(no newline at the end)' };
  return { sign, text: safeText(line.slice(1)) };
}
