import { Refused, Stale } from '../../../diagnostics/errors.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import { approvalObstacle, type ApprovalObstacle } from '../../../model/status/approval-obstacle.ts';
import type { AwaitedApproval } from '../../../model/status/watch-status.ts';
import { approvalStartText } from '../../../render/status/status-words.ts';
import { approvalLines } from '../../../render/plan/approval-summary.ts';
import { statusJsonSchema, type StatusJson } from '../../../render/status/status-json-schema.ts';
import { UsageError } from '../../../stack/usage-error.ts';
import type { Backend } from '../../../state/backend.ts';
import { askWatch } from '../../../watch/control/ask-watch.ts';
import { keptText, mostKept } from '../../../watch/kept-text.ts';
import { userName } from '../../../state/lease/lease.ts';
import { type WatchAnswer, laterWatch, operatorReason, startOne, tellWatch } from './operator-commands.ts';
import { isPlanDigest } from '../../../model/plan/is-plan-digest.ts';
import { approvalLifetimeMs, readOperatorRequests, recordApproval } from '../../../watch/operator-requests.ts';
import { readWatchState } from '../../../watch/watch-state.ts';
import type { Context } from '../../context.ts';
import { declined } from '../../approval/approval.ts';
import { withStateHere } from '../../with-backend.ts';

interface ApproveFlags {
  readonly autoApprove?: boolean;
  readonly reason?: string;
}

/** Shows the pending changes of a watch, asks, and approves exactly these. */
export async function approveCommand(
  context: Context,
  digest: string | undefined,
  flags: ApproveFlags,
): Promise<number> {
  if (digest !== undefined && !isPlanDigest(digest))
    throw new UsageError(
      'the digest must be sha256: and 64 hexadecimal digits',
      'copy the digest from the status page or the log of `sluice watch`',
    );
  if (digest === undefined && !context.canAsk)
    throw new UsageError(
      'a digest is required if there is no terminal to ask for approval',
      'pass the digest of the changes that you have reviewed, from the status page or the log of `sluice watch`',
    );
  return withStateHere(context, (backend) => approveIn(backend, context, digest, flags));
}

async function approveIn(
  backend: Backend,
  context: Context,
  digest: string | undefined,
  flags: ApproveFlags,
): Promise<number> {
  const { io } = context;
  const reason = operatorReason(flags.reason);
  const awaited = await awaitedIn(backend, digest);
  if (context.format.isInteractive) io.out(`${approvalText(awaited)}\n${planText(awaited)}`);
  const question = '\nApprove exactly these changes?';
  const code = await declined(context, flags, question, 'Not approved. Nothing will be applied.');
  if (code !== undefined) return code;
  const at = (io.now ?? Date.now)();
  const approval = { digest: awaited.digest, by: keptText(userName(), mostKept.name), at, ...reason };
  const obstacle = await obstacleNow(backend, at);
  await recordApproval(backend, approval);
  const answer = await tellWatch(backend);
  const starts = obstacle ?? (answer === 'answered' ? 'at-once' : 'at-next-poll');
  const summary =
    answer === 'answered'
      ? `The watch applies these changes ${approvalStartText(obstacle)} if the changes are still the same by then.`
      : unheardText(answer, obstacle);
  return context.done(`Approved. ${summary}\n`, {
    approved: awaited.digest,
    plan: awaited.plan,
    starts,
    watch_answered: answer === 'answered',
    summary,
  });
}

/** What becomes of an approval that no watch has read yet. */
function unheardText(answer: Exclude<WatchAnswer, 'answered'>, obstacle: ApprovalObstacle | undefined): string {
  const days = String(approvalLifetimeMs / 86_400_000);
  const when =
    obstacle === undefined
      ? 'when the watch next reads the recorded pauses and approvals'
      : approvalStartText(obstacle);
  const start = answer === 'not-asked' ? '' : ` ${startOne}`;
  return `The approval is recorded. ${laterWatch(answer)} applies these changes ${when}, and so does a watch that starts within ${days} days, if the changes are still the same by then.${start}`;
}

/** What is approved, in numbers: the plan of hundreds of changes is long, and cut where it is very long. */
function approvalText({ summary, follows, access }: AwaitedApproval): string {
  return approvalLines(summary, follows, access)
    .map((line) => `${safeText(line, 1_000)}\n`)
    .join('');
}

/** Whoever can write to the store could have put anything into it. No line is cut: all of it is approved. */
function planText({ plan }: AwaitedApproval): string {
  return plan
    .split('\n')
    .map((line) => safeText(line, Infinity))
    .join('\n');
}

async function awaitedIn(backend: Backend, digest: string | undefined): Promise<AwaitedApproval> {
  const { awaited } = await readWatchState(backend.document('watch-state'));
  if (awaited === undefined)
    throw new Refused('NO_PENDING_APPROVAL', 'no watch of this stack has changes that require approval', {
      hint: 'check the status page: the changes may have been applied already, or a newer revision may require other changes',
    });
  if (digest !== undefined && awaited.digest !== digest)
    throw new Stale(
      'PENDING_CHANGES_DIFFER',
      'the digest does not match the pending changes; nothing was approved',
      `review the pending changes on the status page, then run \`sluice approve ${awaited.digest}\``,
      [],
    );
  return awaited;
}

const askedMs = 5_000;

/** What has to end before changes that are approved now are applied: as the watch reports; if it cannot be asked, only a pause is known. */
async function obstacleNow(backend: Backend, now: number): Promise<ApprovalObstacle | undefined> {
  const status = await statusOf(backend).catch(() => undefined);
  if (status !== undefined) return status.approval_obstacle;
  const { pause } = await readOperatorRequests(backend.document('watch-requests')).catch(() => ({ pause: undefined }));
  const role = pause !== undefined && pause.until > now ? 'paused' : 'leader';
  return approvalObstacle({ role, failures: [] });
}

async function statusOf({ socketPath }: Backend): Promise<StatusJson | undefined> {
  if (socketPath === undefined) return undefined;
  const answer = await askWatch(socketPath, '/status', { signal: AbortSignal.timeout(askedMs) });
  return answer === undefined ? undefined : statusJsonSchema.parse(JSON.parse(answer));
}
