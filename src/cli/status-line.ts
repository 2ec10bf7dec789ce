import type { Palette } from '../render/text/palette.ts';
import type { LiveLine } from './live-line.ts';

/** Shows progress on a terminal; an empty text removes it. Without a terminal it prints nothing. */
export function statusLine(
  live: LiveLine,
  isShown: boolean,
  { quiet }: Pick<Palette, 'quiet'>,
): (text: string) => void {
  let shown = 0;
  return (text) => {
    // A line for each of thousands would cost more than the work it reports.
    if (text === '') live.show('');
    else if (isShown && shown++ % 20 === 0) live.show(quiet(text));
  };
}
