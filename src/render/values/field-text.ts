import type { FieldDifference } from './field-difference.ts';
import type { Palette } from '../text/palette.ts';
import { paintedLine } from '../text/signed-line.ts';

/** One field that differs, before and after, and why; the first line begins at the margin. */
export function fieldText({ name, why, values, said, lines }: FieldDifference, palette: Palette): string[] {
  const note = palette.quiet(`  (${said !== undefined && values !== undefined ? `${said}; ` : ''}${why})`);
  if (values !== undefined) return [`${name}: ${values[0]} ${palette.quiet('->')} ${values[1]}${note}`];
  const heading = said === undefined ? `${name}:` : `${name}: ${said}`;
  return [`${heading}${note}`, ...lines.map((line) => `    ${paintedLine(line, palette)}`)];
}
