import { giteaReviews } from '../../../comments/gitea-reviews.ts';
import { githubReviews } from '../../../comments/github-reviews.ts';
import { gitlabReviews } from '../../../comments/gitlab-reviews.ts';
import type { PlatformClient } from '../../../comments/platform-client.ts';
import type { ReviewApi } from '../../../comments/review-api.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import type { Stack } from '../../../model/stack.ts';
import { withPlatform } from '../comment/with-platform.ts';
import { platformPlace } from '../comment/platform-place.ts';
import type { CommentPlatform } from '../comment/comment-platforms.ts';
import { platformFor } from '../comment/platform-for.ts';
import type { Context } from '../../context.ts';

const apis: Readonly<Record<CommentPlatform, (client: PlatformClient, project: string) => ReviewApi>> = {
  github: githubReviews,
  gitlab: gitlabReviews,
  gitea: giteaReviews,
};

/** Asks the platform of a pipeline about reviews. The commit is the head of the pull request, or that of the branch. */
export async function onReviews<T>(
  context: Context,
  ask: (api: ReviewApi, at: { readonly commit: string; readonly branch: string }) => Promise<T>,
): Promise<T> {
  const place = platformPlace(context.io, platformFor(context, undefined));
  const { commit, branch } = place;
  if (commit === undefined)
    throw new SluiceError('NO_PULL_REQUEST', 'the commit of the pipeline is unknown', {
      hint: 'run the command in a pipeline',
    });
  return withPlatform(context, place, (client) => ask(apis[place.platform](client, place.project), { commit, branch }));
}

/** The name of the commit status of a stack. */
export function statusName({ name, id }: Pick<Stack, 'name' | 'id'>): string {
  return `sluice/${name}/${id}`;
}
