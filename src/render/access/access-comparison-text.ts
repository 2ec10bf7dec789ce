import { counted } from '../../diagnostics/counted.ts';
import type { AccessComparison, AccessEffect, ComparedAccess } from '../../model/exposure/access-comparison.ts';

// The page and the JSON have more.
const mostRows = 20;
const mostUrls = 5;

/** Who can reach what now and after an approval, in lines of text: what becomes of it, the URLs, both sides in full. */
export function accessComparisonLines({ rows, omitted }: AccessComparison): readonly string[] {
  if (rows.length === 0) return [unchangedAccess];
  const left = rows.slice(mostRows).reduce((sum, { total }) => sum + total, omitted);
  return [
    'who can reach what, now and after approval:',
    ...rows.slice(0, mostRows).map((row) => `  ${comparedText(row)}`),
    ...(left === 0 ? [] : [`  ${left} more URLs and addresses`]),
    otherAccess,
  ];
}

/** The text if an approval concerns no URL and no address. */
export const unchangedAccess = 'Access does not change: every URL and address stays reachable as it is now.';

/** The text after the URLs and addresses of an approval. */
export const otherAccess = 'All other URLs and addresses stay reachable as they are now.';

/** One row as a sentence without its end: `https://shop.example.com/… (becomes public): now users who authenticate; after approval anyone`. */
export function comparedText({ effect, urls, total, now, after }: ComparedAccess): string {
  const shown = urls.slice(0, mostUrls).join(', ');
  const more = total > mostUrls ? ` and ${counted(total - mostUrls, 'more URL')}` : '';
  return `${shown}${more} (${accessEffectWords[effect]}): now ${now.who}; after approval ${after.who}`;
}

/** What a change does for whoever uses a URL, in a few words. */
export const accessEffectWords: Readonly<Record<AccessEffect, string>> = {
  public: 'becomes public',
  opened: 'opened to more clients',
  changed: 'open to different clients',
  new: 'new',
  restricted: 'restricted',
  gone: 'no longer reachable',
  unchanged: 'access unchanged',
};
