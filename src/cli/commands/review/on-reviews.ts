import type { ReviewApi } from '../../../comments/platform-api.ts';
import type { SluiceError } from '../../../diagnostics/errors.ts';
import type { Stack } from '../../../model/stack.ts';
import { withPlatform } from '../comment/with-platform.ts';
import { notConfigured, platformFor, platformPlace, type PlatformPlace } from '../comment/platform-place.ts';
import type { Context } from '../../context.ts';

/** Asks the platform of a pipeline about reviews, at what the pipeline says of itself. */
export async function onReviews<At, T>(
  context: Context,
  atIn: (place: PlatformPlace) => At,
  ask: (api: ReviewApi, at: At) => Promise<T>,
): Promise<T> {
  const place = platformPlace(context.io, platformFor(context, undefined));
  const at = atIn(place);
  return withPlatform(context, place, (client, { reviews }) => ask(reviews(client, place.project), at));
}

/** The name of the commit status of a stack. */
export function statusName({ name, id }: Pick<Stack, 'name' | 'id'>): string {
  return `sluice/${name}/${id}`;
}

/** A branch and its commit, which should be the merge of a pull request. Throws where the pipeline runs for something else. */
export function mergedCommit(place: PlatformPlace): { readonly branch: string; readonly commit: string } {
  const { sha, branch, number, isForPull } = place;
  const which = number === undefined ? 'a pull request' : `pull request ${String(number)}`;
  if (isForPull) throw notMerged(`this pipeline runs for ${which}, and must run for the branch after the merge`);
  if (branch === '') throw notMerged('this pipeline does not run for a branch');
  if (sha === undefined) throw notMerged('the commit of the pipeline is unknown');
  return { branch, commit: sha };
}

function notMerged(problem: string): SluiceError {
  return notConfigured(problem, 'run `sluice apply --reviewed` in the pipeline of the branch, after the merge');
}
