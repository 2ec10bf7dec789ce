import { isNotFound } from '../api/api-errors.ts';
import { fieldIn, knownText, optionalText, requiredText } from './comment-fields.ts';
import type { ListedStatus, ReviewVerdict } from './platform-api.ts';

/** A time of a platform in milliseconds since 1970; NaN where there is none. */
export function timeIn(value: unknown, name: string): number {
  const text = fieldIn(value, name);
  return typeof text === 'string' ? Date.parse(text) : Number.NaN;
}

/** A status; nothing where nobody is known to have set it, since it cannot count then. */
export function statusBy(status: unknown, creator: string): readonly ListedStatus[] {
  const by = knownText(status, creator, 'id');
  return by === undefined ? [] : [{ by, at: timeIn(status, 'created_at'), text: optionalText(status, 'description') }];
}

/** Who opened a pull request; undefined where the platform says that the account is deleted. */
export function authorIn(pull: unknown, name: string): string | undefined {
  return fieldIn(pull, name) === null ? undefined : requiredText(pull, name, 'id');
}

/** What is read of a review besides its user. */
export interface ReviewFacts extends Pick<ReviewVerdict, 'is' | 'at' | 'commit'> {
  readonly mayWrite: (user: { readonly by: string; readonly login: string }) => Promise<boolean>;
}

/** The verdict of a user; nothing where the user is not known, since it cannot count then. */
export function reviewVerdict(review: unknown, { mayWrite, ...facts }: ReviewFacts): readonly ReviewVerdict[] {
  const by = knownText(review, 'user', 'id');
  if (by === undefined) return [];
  const login = knownText(review, 'user', 'login') ?? knownText(review, 'user', 'username') ?? '';
  return [{ ...facts, by, login, mayWrite: () => mayWrite({ by, login }) }];
}

/** Nothing where the service says that there is no such thing; any other failure stays one. */
export function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

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
