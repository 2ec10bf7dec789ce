import { counted } from '../../../diagnostics/counted.ts';
import { isOnStandby } from '../../../model/status/on-standby.ts';
import { isLasting } from '../../../model/status/stuck-failure.ts';
import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { dueElement, html, prose, timeElement, type Html } from '../../text/html.ts';
import { activityOf, runningProgress, runningProgressText } from '../status-activity.ts';
import { nextAttempt } from './next-attempt.ts';
import { sluiceCommand } from '../sluice-command.ts';
import { triggerWords } from '../status-words.ts';

/** What the watch does now, and when it goes on. */
export function activityAnswer(status: WatchStatus): Html {
  const { applying, role, now, nextRefresh, lastRefresh } = status;
  if (isOnStandby(status)) return standbyAnswer(status);
  if (applying !== undefined) {
    const { startedAt, changes, trigger } = applying;
    const progress = runningProgress(applying);
    const running = changes.filter((one) => one.progress === 'running').length;
    const text = runningProgressText(progress);
    return html`<p>Applying: <b>${text}</b>, started ${timeElement(startedAt, now)}.</p>
      <progress value="${progress.done}" max="${Math.max(1, progress.total)}" aria-label="Changes done">
        ${text}
      </progress>
      <p class="quiet">
        ${counted(running, 'change')} in progress. Trigger: ${triggerWords[trigger]}. <a href="#applying">Changes</a>
      </p>
      ${progress.failed > 0 && html`<p>What failed is tried again after this apply.</p>`}`;
  }
  if (role === 'paused') return pausedAnswer(status);
  const refreshed =
    lastRefresh === undefined
      ? html`The account has not been read yet.`
      : html`Last refreshed ${timeElement(lastRefresh, now)}.`;
  // An account that cannot be read is refreshed at the next attempt.
  const activity = activityOf(status);
  const isSaid = activity.type === 'waiting-for-retry' && activity.until === nextRefresh;
  return html`<p>${doing(activity, status)} ${refreshed}</p>
    ${nextRefresh !== undefined && !isSaid && html`<p class="quiet">Next refresh: ${dueElement(nextRefresh, now)}.</p>`}`;
}

/** What a leader does that applies nothing. */
function doing({ type, until }: ReturnType<typeof activityOf>, status: WatchStatus): Html {
  if (type === 'queued') return html`Queued: other stacks of the fleet reconcile first.`;
  if (type === 'refreshing') return html`Refreshing the account and planning.`;
  if (type === 'waiting-for-retry') return html`${retriedText(status)} Next attempt: ${nextAttempt(until, status)}.`;
  if (type === 'waiting-for-approval') return html`Waiting for approval. ${othersText('approval', status)}`;
  if (type === 'waiting-for-action') return html`Waiting for the required action. ${othersText('action', status)}`;
  return html`Idle: watching the manifests.`;
}

/** What becomes of the changes that wait for nothing. */
function othersText(awaited: 'approval' | 'action', { kept }: WatchStatus): string {
  return kept?.isAll === true
    ? 'Nothing new is applied until the errors in the manifests are corrected.'
    : `Changes that require no ${awaited} are applied.`;
}

function retriedText({ failures, resources }: WatchStatus): string {
  if (failures.every(isLasting)) return 'Action required: each attempt fails until the cause is corrected.';
  const [one, ...others] = failures;
  const isResource = one !== undefined && resources.some(({ address }) => address === one.scope);
  if (!isResource) return 'sluice retries automatically.';
  return `sluice retries ${others.length === 0 ? one.scope : counted(failures.length, 'failure')} automatically.`;
}

function pausedAnswer({ pause, now, dir }: WatchStatus): Html {
  const { by, at, reason, until } = pause ?? {};
  return html`<p>
      Paused${by !== undefined && html` by <b>${by}</b>`}${at !== undefined && html` ${timeElement(at, now)}`}${
        reason !== undefined && html`: ${prose(reason)}`
      }.
    </p>
    <p>
      No watch of this stack refreshes or applies anything. This watch has released the lock: you can run
      <code class="command">${sluiceCommand(dir, ['apply'])}</code> manually unless another process holds the lock.
    </p>
    <p>
      ${until === undefined ? 'The pause has no end time.' : html`The pause ends ${dueElement(until, now)}.`} To resume
      now: <code class="command">${sluiceCommand(dir, ['resume'])}</code>
    </p>`;
}

function standbyAnswer({ leader, leaderUrl, leaderHeartbeat, now }: WatchStatus): Html {
  return html`<p>Waiting for the lock${leader !== undefined && html`, held by ${prose(leader)}`}.</p>
    <p>
      ${leaderHeartbeat === undefined ? 'This process has not seen a heartbeat of the leader yet' : html`Last heartbeat of the leader ${timeElement(leaderHeartbeat, now)}`}.
      This replica takes over when the leader stops renewing its lease.
      ${leaderUrl !== undefined && html`<a href="${leaderUrl}">Status page of the leader</a>`}
    </p>`;
}
