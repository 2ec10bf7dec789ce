/** A review as a platform lists it, with any verdict. */
export interface ListedReview {
  readonly by: string;
  readonly at: number;
  readonly commit: string | undefined;
  readonly is: 'approval' | 'objection' | 'comment';
}

/** The approvals that still stand: of each user the latest review that is more than a comment. */
export function standingApprovals(reviews: readonly ListedReview[]): readonly ListedReview[] {
  const last = new Map<string, ListedReview>();
  for (const review of [...reviews].sort((a, b) => a.at - b.at))
    if (review.is !== 'comment') last.set(review.by, review);
  return [...last.values()].filter(({ is }) => is === 'approval');
}
