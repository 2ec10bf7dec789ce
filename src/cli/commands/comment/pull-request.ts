import type { PullRequestName } from '../../../comments/comment-api.ts';
import type { Io } from '../../io.ts';
import type { CommentPlatform } from './comment-platforms.ts';
import { notConfigured, platformPlace, type PlatformPlace } from './platform-place.ts';

/** The pull request of a pipeline, and how the API of its platform is reached. */
export type PullRequest = PlatformPlace & PullRequestName;

/** The pull request that a pipeline runs for, from the variables of its platform alone. Throws what is missing. */
export function pullRequestOf(
  io: Pick<Io, 'env' | 'cwd'>,
  platform: CommentPlatform,
  given: number | undefined,
): PullRequest {
  const { webUrl, ...place } = platformPlace(io, platform);
  const problem =
    platform === 'gitlab'
      ? 'this pipeline is not a merge request pipeline'
      : 'this pipeline does not run for a pull request';
  const number = requiredNumber(given ?? place.number, problem);
  return { ...place, number, ...(webUrl === undefined ? {} : { webUrl: `${webUrl}/${String(number)}` }) };
}

function requiredNumber(number: number | undefined, problem: string): number {
  if (number !== undefined && Number.isSafeInteger(number) && number > 0) return number;
  throw notConfigured(problem, 'run the command in the pipeline of a pull request, or pass --pull-request NUMBER');
}
