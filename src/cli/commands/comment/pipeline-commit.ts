import type { SluiceError } from '../../../diagnostics/errors.ts';
import { notConfigured, type PlatformPlace } from './platform-place.ts';

type Place = Pick<PlatformPlace, 'head' | 'sha' | 'branch' | 'number' | 'isForPull'>;

/** The commit to publish a digest on: the head that reviewers approve. Throws where it is unknown. */
export function publishedCommit({ head }: Place): string {
  if (head !== undefined) return head;
  throw notConfigured(
    'the head of the pull request is unknown: neither the event nor the variables of this pipeline contain it',
    'run `sluice publish-digest` in the pipeline of the pull request',
  );
}

/** A branch and its commit, which should be the merge of a pull request. Throws where the pipeline runs for something else. */
export function mergedCommit(place: Place): { readonly branch: string; readonly commit: string } {
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
