import { createHash } from 'node:crypto';
import { counted } from '../../diagnostics/counted.ts';
import type { ChangeOutcome } from '../../model/outcome.ts';
import type { ApplyRecord, WatchStatus } from '../../model/watch-status.ts';
import { actionWords, countActions } from '../plan/action-words.ts';
import { durationShort, timeElement } from '../text/ages.ts';
import { html, lines, prose, type Html } from '../text/html.ts';
import { icon } from './status-icons.ts';
import { revisionLine } from './status-page-head.ts';

const mostApplies = 50;
const mostChanges = 100;
const longestPlan = 12_000;

const reasons: Readonly<Record<ApplyRecord['why'], string>> = {
  revision: 'a new revision',
  drift: 'drift',
  approval: 'an approval',
  renewal: 'a renewal',
  retry: 'another try',
};

/** The last applies, newest first, each with its plan folded away. */
export function historySection({ history, now }: WatchStatus): Html {
  return html`<section id="history">
    <h2>Last applies</h2>
    ${
      history.length === 0
        ? html`<p class="quiet">Nothing was applied since this process began.</p>`
        : history.slice(0, mostApplies).map((one) => recordItem(one, now))
    }
  </section>`;
}

function recordItem(record: ApplyRecord, now: number): Html {
  const { began, ended, why, revision, digest, outcome, requests, plan } = record;
  const open = outcome.filter(({ ending }) => ending !== 'done');
  const done = countActions(
    outcome.filter(({ ending }) => ending === 'done').map(({ action }) => action),
    'done',
  );
  const went = open.length === 0 ? 'well' : 'bad';
  return html`<details id="h-${idOf(record)}" class="apply">
    <summary>
      ${icon(went)}
      <span class="what"
        >${done === '' ? 'nothing done' : done}${
          open.length === 0 ? undefined : `, ${String(open.length)} not done`
        }</span
      >
      <span class="quiet">${timeElement(ended, now)}, for ${reasons[why]}</span>${
        revision === undefined ? undefined : html` <span class="quiet">${revisionLine(revision)}</span>`
      }
    </summary>
    <p class="quiet">Plan <code>${digest}</code>, ${counted(requests, 'request')}, ${durationShort(ended - began)}.</p>
    <ul class="outcomes">
      ${outcome.slice(0, mostChanges).map(outcomeItem)}
    </ul>
    ${outcome.length <= mostChanges ? undefined : html`<p class="quiet">${outcome.length - mostChanges} more.</p>`}
    <pre class="plan">${lines(cut(plan))}</pre>
  </details>`;
}

function outcomeItem({ address, action, ending, message, because }: ChangeOutcome): Html {
  const { symbol, toDo, done } = actionWords[action];
  return html`<li class="${ending}">
    <span class="sign" aria-hidden="true">${symbol}</span> <code>${address}</code> ${
      ending === 'done' ? done : `${toDo}: ${ending.replace('-', ' ')}`
    }${because === undefined ? undefined : html`, waited for <code>${because}</code>`}${message === undefined ? undefined : html`<p class="why">${prose(message)}</p>`}
  </li>`;
}

function cut(plan: string): string {
  return plan.length <= longestPlan
    ? plan.trimEnd()
    : `${plan.slice(0, longestPlan)}\n… ${counted(plan.length - longestPlan, 'character')} more`;
}

function idOf({ began, digest }: ApplyRecord): string {
  return createHash('sha256')
    .update(`${String(began)} ${digest}`)
    .digest('hex')
    .slice(0, 12);
}
