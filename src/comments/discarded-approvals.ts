import { safeText } from '../diagnostics/safe-text.ts';
import type { ReviewVerdict } from './platform-api.ts';

/** Why an approval does not count. */
type DiscardReason = keyof typeof hints;

/** A verdict that does not count, and why. */
export interface Discarded {
  readonly verdict: ReviewVerdict;
  readonly reason: DiscardReason;
}

/** What an approval must be of and come after. */
export interface Required {
  /** The identity of the pipeline. */
  readonly us: string;
  readonly author: string | undefined;
  readonly head: string;
  /** Since when the digest has been published, without another one in between. */
  readonly published: number;
  /** Whether it had been published before another one was. */
  readonly isAgain: boolean;
}

/** Why a verdict cannot count, whatever its user may do; undefined where it can. */
export function discardReason(
  { by, is, at, commit }: ReviewVerdict,
  { us, author, head, published, isAgain }: Required,
): DiscardReason | undefined {
  if (by === us) return 'of-pipeline';
  if (by === author) return 'of-author';
  if (is !== 'approval') return is;
  if (Number.isNaN(at)) return 'no-time';
  if (!(at > published)) return isAgain ? 'published-again' : 'too-early';
  return commit === head ? undefined : 'other-commit';
}

const most = 5;

/** What to tell about verdicts of which none counts. */
export function discardedText(discarded: readonly Discarded[], head: string): string {
  const told = discarded.slice(0, most).map(({ verdict, reason }) => texts[reason](userOf(verdict), verdict, head));
  const rest = discarded.length - told.length;
  return [...told, ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}

/** What to do next time, for each reason once. */
export function discardedHint(discarded: readonly Discarded[]): string {
  const steps = [...new Set(discarded.map(({ reason }) => hints[reason]))];
  return `open a pull request with an empty commit, ${steps.join(', ')}, then merge the pull request`;
}

function userOf({ login, by }: ReviewVerdict): string {
  return login === '' ? `user ${safeText(by, 20)}` : safeText(login, 60);
}

const texts: Readonly<Record<DiscardReason, (who: string, verdict: ReviewVerdict, head: string) => string>> = {
  'of-pipeline': (who) => `${who} is the user whose token the pipeline uses`,
  'of-author': (who) => `${who} is the author of the pull request`,
  dismissed: (who) => `the review of ${who} was dismissed`,
  objection: (who) => `${who} requested changes`,
  'no-time': (who) => `the platform does not report when ${who} approved`,
  'too-early': (who) => `${who} approved before the plan was published`,
  'published-again': (who) => `${who} approved before the plan was published again, after another plan`,
  'other-commit': (who, { commit }, head) =>
    `${who} approved ${commit === '' ? 'an unknown commit' : `commit ${safeText(commit.slice(0, 12))}`}, not the head ${head.slice(0, 12)}`,
  'no-write-access': (who) => `${who} has no write access to the repository`,
};

const hints = {
  'of-pipeline': 'have the pull request approved by a user whose token the pipeline does not use',
  'of-author': 'have the pull request approved by a user other than its author',
  dismissed: 'have the pull request approved, and do not dismiss the approval before the merge',
  objection: 'have the pull request approved by the user who requested changes',
  'no-time': 'have the pull request approved on a version of the platform that reports the time of an approval',
  'too-early': 'have the pull request approved after its plan is published',
  'published-again': 'have the pull request approved after its plan is published',
  'other-commit': 'have the pull request approved after the last push',
  'no-write-access': 'have the pull request approved by a user with write access',
} as const;
