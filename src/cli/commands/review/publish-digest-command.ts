import { notConfigured, type PlatformPlace } from '../comment/platform-place.ts';
import type { Context } from '../../context.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import { pipelineRunUrl } from '../../../stack/settings/pipeline-run-url.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { isPlanDigest } from '../../../model/plan/is-plan-digest.ts';
import { onReviews, statusName } from './on-reviews.ts';

/** Sets the digest of a plan as a commit status on the head of the pull request, for `apply --reviewed`. */
export async function publishDigest(context: Context, digest: string): Promise<number> {
  if (!isPlanDigest(digest)) throw new UsageError('the digest must have the form sha256:… with 64 hexadecimal digits');
  const { stack } = await readStackConfig({ ...context, report: () => Promise.resolve() });
  const name = statusName(stack);
  const commit = await onReviews(context, publishedCommit, async (api, head) => {
    await api.setStatus(head, { name, digest, url: pipelineRunUrl(context.io.env) ?? '' });
    return head;
  });
  return context.done(`The commit status ${name} was set on commit ${commit.slice(0, 12)}.\n`, {
    status: name,
    commit,
    digest,
  });
}

/** The commit to publish a digest on: the head that reviewers approve. Throws where it is unknown. */
function publishedCommit({ head }: PlatformPlace): string {
  if (head !== undefined) return head;
  throw notConfigured(
    'the head of the pull request is unknown: neither the event nor the variables of this pipeline contain it',
    'run `sluice publish-digest` in the pipeline of the pull request',
  );
}
