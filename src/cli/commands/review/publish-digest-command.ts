import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-code.ts';
import { readStackConfig } from '../../../stack/settings/stack-config.ts';
import { pipelineRunUrl } from '../../../stack/settings/pipeline-run-url.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import { isPlanDigest } from '../../../model/plan/is-plan-digest.ts';
import { publishedCommit } from '../comment/pipeline-commit.ts';
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
  context.result(
    () => `The commit status ${name} was set on commit ${commit.slice(0, 12)}.\n`,
    () => ({ format_version: '1.0', status: name, commit, digest }),
  );
  return exitCodes.done;
}
