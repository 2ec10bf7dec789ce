import { counted } from '../../diagnostics/counted.ts';
import type { WatchStatus } from '../../model/watch-status.ts';
import { spanElement, timeElement } from '../text/ages.ts';
import { html, prose, type Html } from '../text/html.ts';
import { icon } from './status-icons.ts';
import { questionsOf, verdictOf } from './status-verdict.ts';
import { countSyncStatuses, needsPerson, roleWords, syncStatusWords } from './status-words.ts';

/** The top line: which stack, at which revision, in which role. */
export function pageHeader(status: WatchStatus): Html {
  const { stack, role, revision, inForce } = status;
  const shown = inForce ?? revision;
  return html`<header>
    <p class="brand">
      <span class="name">sluice</span> <strong>${stack.name}</strong> <span class="badge">${roleWords[role]}</span>
    </p>
    ${shown === undefined ? undefined : html`<p class="revision">${revisionLine(shown)}</p>`}
  </header>`;
}

/** The first screen: is it well, what is it doing, does it need me? */
export function pageVerdict(status: WatchStatus): Html {
  const { tone, headline, detail } = verdictOf(status);
  return html`<section id="verdict" class="verdict tone-${tone}">
      <div role="status" aria-live="polite">
        <h1>${icon(tone)} <span>${headline}</span></h1>
        ${detail === undefined ? undefined : html`<p class="detail">${prose(detail)}</p>`}
      </div>
      ${standingBar(status)}
    </section>
    <div class="answers">
      <section id="asks">
        <h2>Does it need me?</h2>
        ${asksAnswer(status)}
      </section>
      <section id="doing">
        <h2>What is it doing?</h2>
        ${doingAnswer(status)}
      </section>
      <section id="well">
        <h2>Is it well?</h2>
        ${wellAnswer(status)}
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

/** How many stand how, as a bar and in words. */
function standingBar(status: WatchStatus): Html | undefined {
  const counts = countSyncStatuses(status);
  const total = status.resources.length;
  if (total === 0) return undefined;
  let at = 0;
  const pieces = counts.map(([standing, count]) => {
    const x = (at / total) * 1000;
    at += count;
    return html`<rect
      class="fill s-${standing}"
      x="${x.toFixed(1)}"
      y="0"
      width="${((count / total) * 1000).toFixed(1)}"
      height="10"
    />`;
  });
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${pieces}</svg>
    <ul class="legend">
      ${counts.map(([standing, count]) => html`<li>${icon(standing)} <b>${count}</b> ${syncStatusWords[standing]}</li>`)}
    </ul>`;
}

function wellAnswer({ conditions, now, lastSuccess }: WatchStatus): Html {
  return html`<ul class="conditions">
      ${conditions.map(
        ({ type, status, reason, message, since }) =>
          html`<li>
            <p>
              <b class="cond ${toneOf(type, status)}">${type}: ${status ? 'yes' : 'no'}</b>
              <span class="reason">${reason}</span> <span class="quiet">for ${spanElement(since, now)}</span>
            </p>
            ${message === '' ? undefined : html`<p class="quiet">${prose(message)}</p>`}
          </li>`,
      )}
    </ul>
    <p class="quiet">
      ${lastSuccess === undefined ? 'No round has succeeded yet.' : html`Last all right ${timeElement(lastSuccess, now)}.`}
    </p>`;
}

function toneOf(type: string, holds: boolean): string {
  if (!holds) return type === 'Ready' ? 'missing' : 'off';
  return { Ready: 'good', Reconciling: 'going', Stalled: 'poor' }[type] ?? 'off';
}

function doingAnswer({ applying, role, now, next, looked, pause, leader }: WatchStatus): Html {
  if (role === 'standing-by')
    return html`<p>
      ${leader === undefined ? 'Another replica' : html`<code>${leader}</code>`} leads. This one takes over when it
      falls silent.
    </p>`;
  if (applying !== undefined) {
    const { done, total, began, running } = applying;
    return html`<p>Applying: <b>${done} of ${total}</b> done, begun ${timeElement(began, now)}.</p>
      <progress value="${done}" max="${Math.max(1, total)}" aria-label="Changes done">${done} of ${total}</progress>
      <p class="quiet">${counted(running.length, 'change')} under way.</p>`;
  }
  const paused =
    pause === undefined
      ? undefined
      : html`<p>
          Paused; goes on
          ${timeElement(pause.until, now)}${pause.reason === undefined ? undefined : html`: ${prose(pause.reason)}`}.
        </p>`;
  const idle = html`<p>
    ${looked === undefined ? 'It has not seen the account yet.' : html`It saw the account ${timeElement(looked, now)} and watches the manifests.`}
  </p>`;
  return html`${paused ?? idle}${next === undefined ? undefined : html`<p class="quiet">Looks again ${timeElement(next, now)}.</p>`}`;
}

function asksAnswer(status: WatchStatus): Html {
  const { approve, now, waiting, fights } = status;
  const asked = questionsOf(status);
  if (asked.length === 0) return html`<p>No.</p>`;
  const since = [...waiting.filter(needsPerson), ...fights].map((one) => one.since);
  return html`<ul>
      ${asked.map(({ text }) => html`<li>${icon('asks')} ${text}</li>`)}
    </ul>
    ${approve === undefined ? undefined : html`<p><code class="command">sluice approve ${approve}</code></p>`}
    <p class="quiet">
      ${since.length === 0 ? undefined : html`The oldest waits for ${spanElement(Math.min(...since), now)}. `}<a
        href="#${since.length === 0 ? 'troubles' : 'needs'}"
        >What and why</a
      >
    </p>`;
}
