import type { Palette } from './palette.ts';

/** One line of a difference: it comes, goes, or stands beside; `@` is a position. The text is safe already. */
export interface SignedLine {
  readonly sign: '+' | '-' | ' ' | '@';
  readonly text: string;
}

/** Such a line for a terminal. */
export function paintedLine({ sign, text }: SignedLine, palette: Palette): string {
  if (sign === '+') return palette.added(`+ ${text}`);
  if (sign === '-') return palette.removed(`- ${text}`);
  return palette.quiet(sign === '@' ? `@@ ${text}` : `  ${text}`);
}
