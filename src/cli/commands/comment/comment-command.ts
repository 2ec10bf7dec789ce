import { dirname } from 'node:path';
import type { PullRequestName } from '../../../comments/platform-api.ts';
import { writeComment, type WrittenComment } from '../../../comments/write-comment.ts';
import { counted } from '../../../diagnostics/counted.ts';
import { SluiceError } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { kinds } from '../../../kinds/index.ts';
import { failureMarkdown } from '../../../render/outcome/failure-markdown.ts';
import { lessDetail, type PlanDetail } from '../../../model/plan/plan-detail.ts';
import { planMarkdown } from '../../../render/plan/plan-markdown.ts';
import { hiddenLine, hiddenLineStart, runLine } from '../../../render/text/comment-lines.ts';
import { platforms } from '../../../render/text/platform.ts';
import { readOperatorPolicy } from '../../../stack/settings/operator-policy.ts';
import { pipelineRunUrl } from '../../../stack/settings/pipeline-run-url.ts';
import { stackFileAtHand } from '../../../stack/stack-file-at-hand.ts';
import { repositoryOf, type CommentPlatform } from '../../ci.ts';
import type { Context } from '../../context.ts';
import { readCommentInput, type CommentInput } from './comment-input.ts';
import { notConfigured, platformFor, platformPlace, type PlatformPlace } from './platform-place.ts';
import { withPlatform } from './with-platform.ts';

interface CommentCommandFlags {
  readonly platform?: CommentPlatform;
  readonly pullRequest?: number;
  readonly detail?: PlanDetail;
  readonly required?: boolean;
}

/** Posts the plan of a stack on its pull request, or updates the comment that is there. */
export async function comment(context: Context, file: string, flags: CommentCommandFlags): Promise<number> {
  const stackFile = stackFileAtHand(context);
  const policy = readOperatorPolicy(context, stackFile === undefined ? undefined : dirname(stackFile));
  const detail = lessDetail(flags.detail ?? 'full', policy?.commentDetail ?? 'full');
  const input = readCommentInput(context, file);
  try {
    const request = pullRequestOf(context.io, platformFor(context, flags.platform), flags.pullRequest);
    const body = bodyOf(context, request, input, detail);
    // The commit of a pipeline that somebody has given the pull request need not be the head of that.
    const commit = flags.pullRequest === undefined ? request.head : undefined;
    const written = await withPlatform(context, request, (client, { comments }) =>
      writeComment(comments(client, request), { firstLine: hiddenLineStart(input.stack), body, commit }),
    );
    if (written.action === 'outdated')
      throw new SluiceError(
        'OUTDATED_COMMIT',
        `commit ${commit?.slice(0, 12) ?? ''} is no longer the head of pull request ${String(request.number)}`,
        { hint: 'the pipeline of the new head writes the comment' },
      );
    return reportWritten(context, request, written);
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code === 'INTERRUPTED' || flags.required === true) throw error;
    const hint = error.hint === undefined ? '' : `; ${error.hint}`;
    context.log('warn', `warning: the comment was not written: ${error.message}${hint}`);
    return context.done('', { action: 'none', reason: error.message });
  }
}

/** The comment, never larger than the platform takes. */
function bodyOf(context: Context, request: PullRequest, input: CommentInput, detail: PlanDetail): string {
  const { env } = context.io;
  const { platform } = request;
  const commit = request.head ?? request.planned;
  const run = { commit, url: pipelineRunUrl(env) };
  if ('plan' in input) {
    const stackFile = stackFileAtHand(context);
    const repository = stackFile === undefined ? undefined : repositoryOf(env, dirname(stackFile));
    const ofHead = repository === undefined || commit === undefined ? repository : { ...repository, revision: commit };
    const { baseUrl } = input.stack;
    return planMarkdown(input.plan.plan, { kinds, ...input.plan, platform, repository: ofHead, detail, run, baseUrl });
  }
  const time = new Date((context.io.now ?? Date.now)()).toISOString();
  const head = `${hiddenLine(input.stack, { time }, platform)}\n\n`;
  const foot = `\n${runLine(run)}\n`;
  const room = platforms[platform].maxBytes - Buffer.byteLength(head + foot);
  return head + failureMarkdown(input.error, platform, { maxBytes: room, detail }) + foot;
}

function reportWritten(context: Context, { number }: PullRequest, { action, url, others }: WrittenComment): number {
  const did = action === 'created' ? 'Created' : 'Updated';
  const where = url === '' ? '' : `: ${safeText(url)}`;
  if (others > 0)
    context.log(
      'warn',
      `warning: ${counted(others, 'older comment')} for this stack ${others === 1 ? 'was' : 'were'} not updated; delete ${others === 1 ? 'it' : 'them'} manually`,
    );
  return context.done(`${did} the comment on pull request ${String(number)}${where}\n`, {
    action,
    pull_request: number,
    ...(url === '' ? {} : { url }),
  });
}

type PullRequest = PlatformPlace & PullRequestName;

/** The pull request that a pipeline runs for, from the variables of its platform alone. Throws what is missing. */
function pullRequestOf(io: Context['io'], platform: CommentPlatform, given: number | undefined): PullRequest {
  const { webUrl, ...place } = platformPlace(io, platform);
  const number = given ?? place.number;
  if (number === undefined || !Number.isSafeInteger(number) || number <= 0)
    throw notConfigured(
      platform === 'gitlab'
        ? 'this pipeline is not a merge request pipeline'
        : 'this pipeline does not run for a pull request',
      'run the command in the pipeline of a pull request, or pass --pull-request NUMBER',
    );
  return { ...place, number, ...(webUrl === undefined ? {} : { webUrl: `${webUrl}/${String(number)}` }) };
}
