import { counted } from '../../diagnostics/counted.ts';
import type { WatchStatus } from '../../model/watch-status.ts';
import { dueElement, spanElement, timeElement } from '../text/ages.ts';
import { html, prose, type Html } from '../text/html.ts';
import { activityOf } from './status-activity.ts';
import { conditionTone } from './condition-tone.ts';
import { icon } from './status-icons.ts';
import { runningProgress, runningProgressText } from './running-progress.ts';
import { actionsAnswer } from './status-page-asked.ts';
import { verdictOf } from './status-verdict.ts';
import { countSyncStatuses, roleWords, syncStatusWords, triggerWords } from './status-words.ts';

/** The top line: which stack, at which revision, in which role. */
export function pageHeader(status: WatchStatus): Html {
  const { stack, role, revision, lastGood } = status;
  const shown = lastGood ?? revision;
  return html`<header>
    <p class="brand">
      <span class="name">sluice</span> <strong>${stack.name}</strong> <span class="badge">${roleWords[role]}</span>
    </p>
    ${shown === undefined ? undefined : html`<p class="revision">${revisionLine(shown)}</p>`}
  </header>`;
}

/** The first screen: health, activity, required actions. */
export function pageVerdict(status: WatchStatus): Html {
  const { tone, headline, detail } = verdictOf(status);
  return html`<section id="verdict" class="verdict tone-${tone}">
      <div role="status" aria-live="polite">
        <h1>${icon(tone)} <span>${headline}</span></h1>
        ${detail === undefined ? undefined : html`<p class="detail">${prose(detail)}</p>`}
      </div>
      ${statusBar(status)}
    </section>
    <div class="answers">
      <section id="actions">
        <h2>Action required</h2>
        ${actionsAnswer(status)}
      </section>
      <section id="activity">
        <h2>Activity</h2>
        ${activityAnswer(status)}
      </section>
      <section id="conditions">
        <h2>Conditions</h2>
        ${conditionsAnswer(status)}
      </section>
    </div>`;
}

/** A revision in a few words: commit, branch and subject, or the digest of what was read. */
export function revisionLine(revision: NonNullable<WatchStatus['revision']>): Html {
  const { content, commit, branch, subject } = revision;
  return html`<code>${commit === undefined ? content : commit.slice(0, 7)}</code>${
      branch === undefined ? undefined : html` on <code>${branch}</code>`
    }${subject === undefined ? undefined : html` <span class="subject">${subject}</span>`}`;
}

/** The number of resources by sync status, as a bar and in words. */
function statusBar(status: WatchStatus): Html | undefined {
  const counts = countSyncStatuses(status);
  const total = status.resources.length;
  if (total === 0) return undefined;
  let at = 0;
  const pieces = counts.map(([syncStatus, count]) => {
    const x = (at / total) * 1000;
    at += count;
    return html`<rect
      class="fill s-${syncStatus}"
      x="${x.toFixed(1)}"
      y="0"
      width="${((count / total) * 1000).toFixed(1)}"
      height="10"
    />`;
  });
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>
    <ul class="legend">
      ${counts.map(([syncStatus, count]) => html`<li>${icon(syncStatus)} <b>${count}</b> ${syncStatusWords[syncStatus]}</li>`)}
    </ul>`;
}

function conditionsAnswer({ conditions, now, lastSuccess, lastRefresh, role }: WatchStatus): Html {
  const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  return html`<ul class="conditions">
      ${conditions.map(
        (one) =>
          html`<li>
            <p>
              <b class="cond ${conditionTone(one)}">${one.type}: ${one.status}</b>
              ${conditionTone(one) === 'quiet' ? undefined : html`<span class="quiet">for ${spanElement(one.since, now)}</span> `}<span
                class="reason"
                >${one.reason}</span
              >
            </p>
            ${one.message === '' ? undefined : html`<p class="quiet">${prose(one.message)}</p>`}
          </li>`,
      )}
    </ul>
    ${seenText()}`;

  /** When the conditions were found, or were last as they should be. */
  function seenText(): Html | undefined {
    if (role === 'paused' && lastRefresh !== undefined)
      return html`<p class="quiet">As of the last refresh, ${timeElement(lastRefresh, now)}.</p>`;
    if (isReady || role === 'standby') return undefined;
    return html`<p class="quiet">
      ${lastSuccess === undefined ? 'Not in sync since this process started.' : html`Last in sync ${timeElement(lastSuccess, now)}.`}
    </p>`;
  }
}

function activityAnswer(status: WatchStatus): Html {
  const { applying, role, now, nextRefresh, lastRefresh, leader, leaderUrl } = status;
  if (role === 'standby')
    return html`<p>
      Waiting for the lock${leader === undefined ? undefined : html`, held by ${prose(leader)}`}. This replica takes
      over when the leader stops renewing its lease.
      ${leaderUrl === undefined ? undefined : html`<a href="${leaderUrl}">Status page of the leader</a>`}
    </p>`;
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
      </p>`;
  }
  if (role === 'paused') return pausedAnswer(status);
  const refreshed =
    lastRefresh === undefined
      ? html`The account has not been read yet.`
      : html`Last refreshed ${timeElement(lastRefresh, now)}.`;
  // An account that cannot be read is refreshed at the next attempt.
  const { type, until } = activityOf(status);
  const isSaid = type === 'waiting-for-retry' && until === nextRefresh;
  return html`<p>${doing(status)} ${refreshed}</p>
    ${nextRefresh === undefined || isSaid ? undefined : html`<p class="quiet">Next refresh ${dueElement(nextRefresh, now)}.</p>`}`;
}

/** What a leader does that applies nothing. */
function doing(status: WatchStatus): Html {
  const { type, until } = activityOf(status);
  if (type === 'queued') return html`Queued: other stacks of the fleet reconcile first.`;
  if (type === 'refreshing') return html`Refreshing the account and planning.`;
  if (type === 'waiting-for-retry')
    return html`Waiting for the next
    attempt${until === undefined ? undefined : html`, ${dueElement(until, status.now)}`}.`;
  return type === 'waiting-for-approval'
    ? html`Waiting for approval; other changes are applied.`
    : html`Idle: watching the manifests.`;
}

/** Who paused the watch, when and why, and how it goes on. */
function pausedAnswer({ pause, now }: WatchStatus): Html {
  const { by, at, reason, until } = pause ?? {};
  return html`<p>
      Paused${by === undefined ? undefined : html` by <b>${by}</b>`}${at === undefined ? undefined : html` ${timeElement(at, now)}`}${
        reason === undefined ? undefined : html`: ${prose(reason)}`
      }.
    </p>
    <p>Nothing is refreshed or applied, and the lock is free for <code>sluice apply</code>.</p>
    <p>
      ${until === undefined ? 'It lasts until somebody resumes.' : html`It resumes ${dueElement(until, now)}.`} To
      resume now: <code class="command">sluice resume</code>
    </p>`;
}
