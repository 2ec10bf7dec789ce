import { counted } from '../../diagnostics/counted.ts';
import type { Condition, WatchStatus } from '../../model/watch-status.ts';
import { spanElement, timeElement } from '../text/ages.ts';
import { html, prose, type Html } from '../text/html.ts';
import { icon } from './status-icons.ts';
import { questionsOf, verdictOf } from './status-verdict.ts';
import { countSyncStatuses, needsPerson, roleWords, syncStatusWords } from './status-words.ts';

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

function conditionsAnswer({ conditions, now, lastSuccess }: WatchStatus): Html {
  return html`<ul class="conditions">
      ${conditions.map(
        ({ type, status, reason, message, since }) =>
          html`<li>
            <p>
              <b class="cond ${toneOf(type, status)}">${type}: ${status}</b>
              <span class="reason">${reason}</span> <span class="quiet">for ${spanElement(since, now)}</span>
            </p>
            ${message === '' ? undefined : html`<p class="quiet">${prose(message)}</p>`}
          </li>`,
      )}
    </ul>
    <p class="quiet">
      ${lastSuccess === undefined ? 'Not in sync since this process started.' : html`Last in sync ${timeElement(lastSuccess, now)}.`}
    </p>`;
}

function toneOf(type: string, status: Condition['status']): string {
  if (status === 'Unknown') return 'missing';
  if (status === 'False') return type === 'Ready' ? 'missing' : 'off';
  return { Ready: 'good', Reconciling: 'going', Stalled: 'poor' }[type] ?? 'off';
}

function activityAnswer({
  applying,
  role,
  now,
  nextRefresh,
  lastRefresh,
  pause,
  leader,
  leaderUrl,
}: WatchStatus): Html {
  if (role === 'standby')
    return html`<p>
      ${leader === undefined ? 'Another replica' : html`<code>${leader}</code>`} is the leader. This replica takes over
      when the leader stops renewing its lease.
      ${leaderUrl === undefined ? undefined : html`<a href="${leaderUrl}">Status page of the leader</a>`}
    </p>`;
  if (applying !== undefined) {
    const { done, total, startedAt, running } = applying;
    return html`<p>Applying: <b>${done} of ${total}</b> done, started ${timeElement(startedAt, now)}.</p>
      <progress value="${done}" max="${Math.max(1, total)}" aria-label="Changes done">${done} of ${total}</progress>
      <p class="quiet">${counted(running.length, 'change')} in progress.</p>`;
  }
  const paused =
    pause === undefined
      ? undefined
      : html`<p>
          Paused${pause.reason === undefined ? undefined : html` (${prose(pause.reason)})`}: nothing is applied. Resumes
          ${timeElement(pause.until, now)}, or with <code class="command">sluice resume</code>
        </p>`;
  const idle = html`<p>
    ${lastRefresh === undefined ? 'The account has not been read yet.' : html`Last refreshed ${timeElement(lastRefresh, now)}. Watching the manifests.`}
  </p>`;
  return html`${paused ?? idle}${nextRefresh === undefined ? undefined : html`<p class="quiet">Next refresh ${timeElement(nextRefresh, now)}.</p>`}`;
}

function actionsAnswer(status: WatchStatus): Html {
  const { awaited, now, pending, driftConflicts } = status;
  const asked = questionsOf(status);
  const [first] = asked;
  if (first === undefined) return html`<p>${withoutQuestions(status)}</p>`;
  const since = [...pending.filter(needsPerson), ...driftConflicts].map((one) => one.since);
  return html`<ul>
      ${asked.map(({ text }) => html`<li>${icon('asks')} ${text}</li>`)}
    </ul>
    ${awaited === undefined ? undefined : html`<p><code class="command">sluice approve ${awaited.digest}</code></p>`}
    <p class="quiet">
      ${since.length === 0 ? undefined : html`Oldest: pending for ${spanElement(Math.min(...since), now)}. `}<a
        href="#${first.section}"
        >Details</a
      >
    </p>`;
}

/** What to answer if nothing is known that a person has to do. */
function withoutQuestions({ role, failures }: WatchStatus): string {
  if (role === 'standby') return 'See the status page of the leader.';
  return failures.length > 0 ? 'None yet: sluice retries.' : 'None.';
}
