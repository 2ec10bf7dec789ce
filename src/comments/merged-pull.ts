import { requiredText } from './comment-fields.ts';
import { authorIn } from './review-fields.ts';
import type { MergedPull } from './review-api.ts';

/** A pull request that was merged, as GitHub and Gitea describe it. */
export function mergedPull(pull: unknown): MergedPull {
  return {
    number: Number(requiredText(pull, 'number')),
    head: requiredText(pull, 'head', 'sha'),
    author: authorIn(pull, 'user'),
  };
}
