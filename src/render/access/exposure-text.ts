import { safeText } from '../../diagnostics/safe-text.ts';
import type { ExposureMap } from '../../model/exposure/exposed-urls.ts';
import { table } from '../text/table.ts';
import type { Palette } from '../text/palette.ts';

/** What can be reached by whom, as a table. */
export function exposureText({ rows, variants }: ExposureMap, palette: Palette): string {
  if (rows.length === 0) return 'Nothing can be reached.\n';
  const isCompared = rows.some(({ before }) => before !== undefined);
  const compared = (text: string): string[] => (isCompared ? [text] : []);
  const cells = rows.flatMap(({ who, before = '', urls, route }) =>
    urls.map((url, index) => [
      index === 0 ? safeText(who, 80) : '',
      ...compared(index === 0 ? safeText(before, 80) : ''),
      safeText(url, 200),
      safeText(route, 120),
    ]),
  );
  const spellings = variants.map(
    ({ path, variant, route }) =>
      `  ${safeText(variant, 200)} reaches ${safeText(route, 120)}; ${safeText(path, 200)} is protected\n`,
  );
  const others =
    spellings.length === 0 ? [] : ['\nOther spellings of protected paths that anyone can reach:\n', ...spellings];
  return [table(['WHO', ...compared('BEFORE'), 'URL', 'ROUTE'], cells, palette), ...others].join('');
}
