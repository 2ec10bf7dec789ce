import { safeText } from '../../diagnostics/safe-text.ts';
import type { ExposureMap } from '../../model/exposure/exposed-urls.ts';
import { table } from '../text/table.ts';
import type { Palette } from '../text/palette.ts';

// What is cut cannot be copied into a command.
const longest = 2_000;

/** What can be reached by whom, as a table. */
export function exposureText({ rows, variants }: ExposureMap, palette: Palette): string {
  if (rows.length === 0) return 'No URL of this stack can be reached.\n';
  const isCompared = rows.some(({ before }) => before !== undefined);
  const compared = (text: string): string[] => (isCompared ? [text] : []);
  const cells = rows.flatMap(({ who, before = '', urls, route }) =>
    urls.map((url, index) => [
      index === 0 ? safeText(who, longest) : '',
      ...compared(index === 0 ? safeText(before, longest) : ''),
      safeText(url, longest),
      safeText(route, longest),
    ]),
  );
  const spellings = variants.map(
    ({ path, variant, route }) =>
      `  ${safeText(variant, longest)} reaches ${safeText(route, longest)}; ${safeText(path, longest)} is protected\n`,
  );
  const others =
    spellings.length === 0 ? [] : ['\nAnyone can reach these other spellings of protected paths:\n', ...spellings];
  return [table(['WHO', ...compared('BEFORE'), 'URL', 'ROUTE'], cells, palette), ...others].join('');
}
