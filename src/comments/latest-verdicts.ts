import type { ReviewVerdict } from './review-api.ts';

/** Of each user the latest verdict. One without a time is the last if it is no approval, and else the first: it never makes an approval stand. */
export function latestVerdicts(verdicts: readonly ReviewVerdict[]): readonly ReviewVerdict[] {
  const last = new Map<string, ReviewVerdict>();
  for (const verdict of verdicts.toSorted((a, b) => orderOf(a) - orderOf(b) || 0)) last.set(verdict.by, verdict);
  return [...last.values()];
}

function orderOf({ at, is }: ReviewVerdict): number {
  if (!Number.isNaN(at)) return at;
  return is === 'approval' ? -Infinity : Infinity;
}
