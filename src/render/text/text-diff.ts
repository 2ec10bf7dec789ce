import { structuredPatch } from 'diff';
import { structureItemsOfText } from '../../derive/structure-items.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { holdsPrivateKey } from '../../kinds/formats/ssh-public-key.ts';
import type { ItemLines } from '../../model/resource.ts';
import { sizeText } from '../values/value-text.ts';
import type { Palette } from './palette.ts';

// Comparing two long texts that share nothing takes minutes; a person reads no such difference anyway.
const bounds = { context: 2, timeout: 1000, maxEditLength: 400 } as const;
const mostLines = 60;
const mostNamed = 3;

/** One line of a difference: it comes, goes, or stands beside; `@` is a position. The text is safe already. */
export interface SignedLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** A part of a difference: what comes and goes near each other. */
interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

/** What a part of a difference is about, as safe text; undefined: there is none. */
type HunkHeading = (hunk: Hunk) => string | undefined;

/** Its line in the text as the manifest has it. */
const lineHeading: HunkHeading = ({ newStart }) => `line ${newStart} of the text`;

/** Such a line for a terminal. */
export function paintedLine({ sign, text }: SignedLine, palette: Palette): string {
  if (sign === '+') return palette.added(`+ ${text}`);
  if (sign === '-') return palette.removed(`- ${text}`);
  return palette.quiet(sign === '@' ? `@@ ${text}` : `  ${text}`);
}

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

/** Names the rules that a part of a difference is about, and where the manifest or its file has the first of them. */
export function ruleHeading(before: string, after: string, items: ItemLines | undefined): HunkHeading {
  const [had, has] = [structureItemsOfText(before), structureItemsOfText(after)];
  return (hunk) => {
    const added = changedLines(hunk, '+');
    const changed = added.length > 0 ? added : changedLines(hunk, '-');
    const touched = (added.length > 0 ? has : had).filter(({ lines: [first, last] }) =>
      changed.some((line) => line >= first && line <= last),
    );
    if (touched.length === 0) return undefined;
    const names = touched.slice(0, mostNamed).map(({ path, name }) => {
      const index = path.map((step) => (typeof step === 'number' ? `[${step}]` : step)).join('');
      return name === undefined ? safeText(index, 100) : safeText(`${index} ${JSON.stringify(name)}`, 200);
    });
    const more = touched.length > mostNamed ? ` and ${touched.length - mostNamed} more` : '';
    const line = added.length > 0 ? items?.lines[touched[0]?.pointer ?? ''] : undefined;
    const place = line === undefined ? '' : ` at ${safeText(items?.file ?? '', 200)}:${line}`;
    return `${names.join(', ')}${more}${place}`;
  };
}

/** The lines that come or go, as numbers in the text they are of. */
function changedLines({ oldStart, newStart, lines }: Hunk, sign: '+' | '-'): number[] {
  let number = sign === '+' ? newStart : oldStart;
  const found: number[] = [];
  for (const line of lines) {
    if (line.startsWith(sign)) found.push(number);
    if (line.startsWith(sign) || line.startsWith(' ')) number += 1;
  }
  return found;
}
