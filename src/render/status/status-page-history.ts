import { createHash } from 'node:crypto';
import { counted } from '../../diagnostics/counted.ts';
import type { ChangeOutcome } from '../../model/outcome.ts';
import type { ApplyRecord, WatchStatus } from '../../model/watch-status.ts';
import { actionWords, countActions } from '../plan/action-words.ts';
import { durationShort, timeElement } from '../text/ages.ts';
import { html, lines, prose, type Html } from '../text/html.ts';
import { cutPlan } from './cut-plan.ts';
import { icon } from './status-icons.ts';
import { revisionLine } from './status-page-head.ts';

const mostApplies = 50;
const mostChanges = 100;

const reasons: Readonly<Record<ApplyRecord['trigger'], string>> = {
  revision: 'new revision',
  drift: 'drift',
  approval: 'approval',
  renewal: 'renewal',
  retry: 'retry',
};

/** The last applies, newest first, each with its plan folded. */
export function historySection({ history, now }: WatchStatus): Html {
  return html`<section id="history">
    <h2>Last applies</h2>
    ${
      history.length === 0
        ? html`<p class="quiet">No applies since this process started.</p>`
        : history.slice(0, mostApplies).map((one) => recordItem(one, now))
    }
  </section>`;
}

function recordItem(record: ApplyRecord, now: number): Html {
  const { startedAt, finishedAt, trigger, revision, digest, approvals, outcome, requests, plan } = record;
  const open = outcome.filter(({ ending }) => ending !== 'done');
  const done = countActions(
    outcome.filter(({ ending }) => ending === 'done').map(({ action }) => action),
    'done',
  );
  const tone = open.length === 0 ? 'well' : 'bad';
  return html`<details id="h-${idOf(record)}" class="apply">
    <summary>
      ${icon(tone)}
      <span class="what"
        >${done === '' ? 'no changes done' : done}${
          open.length === 0 ? undefined : `, ${String(open.length)} not done`
        }</span
      >
      <span class="quiet">${timeElement(finishedAt, now)}, trigger: ${reasons[trigger]}</span>${
        revision === undefined ? undefined : html` <span class="quiet">${revisionLine(revision)}</span>`
      }
    </summary>
    <p class="quiet">
      Plan <code>${digest}</code>, ${counted(requests, 'request')}, ${durationShort(finishedAt - startedAt)}.
    </p>
    ${approvals.map(
      ({ digest: approved, by, at, reason }) =>
        html`<p>
          Approved by
          <b>${by}</b> ${timeElement(at, now)}${reason === undefined ? undefined : html`: ${prose(reason)}`}.
          <span class="quiet">Digest <code>${approved}</code></span>
        </p>`,
    )}
    <ul class="outcomes">
      ${outcome.slice(0, mostChanges).map(outcomeItem)}
    </ul>
    ${outcome.length <= mostChanges ? undefined : html`<p class="quiet">${outcome.length - mostChanges} more.</p>`}
    <pre class="plan">${lines(cutPlan(plan))}</pre>
  </details>`;
}

function outcomeItem({ address, action, ending, message, failedDependency }: ChangeOutcome): Html {
  const { symbol, toDo, done } = actionWords[action];
  return html`<li class="${ending}">
    <span class="sign" aria-hidden="true">${symbol}</span> <code>${address}</code> ${
      ending === 'done' ? done : `${toDo}: ${ending.replace('-', ' ')}`
    }${failedDependency === undefined ? undefined : html`, depends on <code>${failedDependency}</code>`}${message === undefined ? undefined : html`<p class="why">${prose(message)}</p>`}
  </li>`;
}

function idOf({ startedAt, digest }: ApplyRecord): string {
  return createHash('sha256')
    .update(`${String(startedAt)} ${digest}`)
    .digest('hex')
    .slice(0, 12);
}
