import { safeText } from '../../diagnostics/safe-text.ts';
import { structureItemsOfText } from '../../derive/structure-items.ts';
import type { ItemLines } from '../../model/resource.ts';
import type { Hunk, HunkHeading } from './text-diff.ts';

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
      const index = path.map((step) => (typeof step === 'number' ? `[${String(step)}]` : step)).join('');
      return name === undefined ? safeText(index, 100) : safeText(`${index} ${JSON.stringify(name)}`, 200);
    });
    const more = touched.length > mostNamed ? ` and ${String(touched.length - mostNamed)} more` : '';
    const line = added.length > 0 ? items?.lines[touched[0]?.pointer ?? ''] : undefined;
    const place = line === undefined ? '' : ` at ${safeText(items?.file ?? '', 200)}:${String(line)}`;
    return `${names.join(', ')}${more}${place}`;
  };
}

const mostNamed = 3;

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
