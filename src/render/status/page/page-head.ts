import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { causeIcon, icon } from './status-icons.ts';
import { activityAnswer } from './activity-answer.ts';
import { actionsAnswer } from './actions-answer.ts';
import { approvalAnswer } from './approval-answer.ts';
import { conditionsAnswer } from './conditions-answer.ts';
import { revisionFacts } from '../revision-facts.ts';
import { fact } from './status-folds.ts';
import { verdictOf } from '../status-verdict.ts';
import { countSyncStatuses, syncStatusWordsOf } from '../status-words.ts';

/** The top line: which stack, at which revision, in which role. */
export function pageHeader(status: WatchStatus): Html {
  const { stack, role } = status;
  return html`<header>
    <p class="brand">
      <span class="name">sluice</span> <strong>${stack.name}</strong> <span class="badge">${role}</span>
    </p>
    ${revisionsOf(status)}
  </header>`;
}

/** The first screen: health, required actions, what an approval changes, activity. */
export function pageVerdict(status: WatchStatus): Html {
  const { cause, tone, headline, detail } = verdictOf(status);
  // Both sides of each URL need the room.
  const awaits = status.awaited !== undefined;
  return html`<section id="verdict" class="verdict tone-${tone}">
      <div role="status" aria-live="polite">
        <h1>${icon(status.pause === undefined ? causeIcon(cause) : 'quiet', tone)} <span>${headline}</span></h1>
        ${detail !== undefined && html`<p class="detail">${prose(detail)}</p>`}
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
      <section id="approval" class="${awaits ? 'wide' : ''}">
        <h2>${status.approvalGiven === undefined ? 'If you approve' : 'Approved'}</h2>
        ${approvalAnswer(status)}
      </section>
      <section id="conditions" class="${awaits ? 'wide' : ''}">
        <h2>Conditions</h2>
        ${conditionsAnswer(status)}
      </section>
    </div>`;
}

function revisionsOf(status: WatchStatus): Html | undefined {
  if (status.role === 'standby' || status.revision === undefined) return undefined;
  return html`<dl class="revision">
    ${revisionFacts(status).map(({ label, revision, note }) => {
      const shown = revision === undefined ? 'no revision yet' : revisionLine(revision);
      return fact(label, html`${shown}${note !== undefined && html` <b>${note}</b>`}`);
    })}
  </dl>`;
}

/** A revision in a few words: commit, branch and subject, or the digest of what was read. */
export function revisionLine(revision: NonNullable<WatchStatus['revision']>): Html {
  const { content, commit, isUncommitted, branch, subject } = revision;
  return html`${isUncommitted === true && 'uncommitted changes on top of '}<code>${commit === undefined ? content : commit.slice(0, 7)}</code>${
    branch !== undefined && html` on <code>${branch}</code>`
  }${subject !== undefined && html` <span class="subject">${subject}</span>`}`;
}

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
      ${counts.map(([syncStatus, count]) => html`<li>${icon(syncStatus)} <b>${count}</b> ${syncStatusWordsOf(syncStatus, count)}</li>`)}
    </ul>`;
}
