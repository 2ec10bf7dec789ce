import type { ChangeOutcome } from '../../model/outcome.ts';

/** What became of a change that was not done, in words. */
export function messageOf({ ending, message, failedDependency, partiallyApplied }: ChangeOutcome): string {
  if (failedDependency !== undefined)
    return `${partiallyApplied === true ? 'started, but ' : ''}depends on ${failedDependency}, which did not complete`;
  return message ?? (ending === 'not-started' ? 'not started' : ending);
}
