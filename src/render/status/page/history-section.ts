import { counted } from '../../../diagnostics/counted.ts';
import type { ChangeOutcome } from '../../../model/outcome.ts';
import type { ApplyRecord, WatchStatus } from '../../../model/status/watch-status.ts';
import { endingText } from '../../outcome/outcome-text.ts';
import { actionWords, countActions } from '../../plan/action-words.ts';
import { durationShort } from '../../text/ages.ts';
import { html, lines, prose, timeElement, type Html } from '../../text/html.ts';
import { shortHash } from '../../values/value-text.ts';
import { furtherItems, loadedFold, mostItems } from './status-folds.ts';
import { icon } from './status-icons.ts';
import { wholeDigest } from '../status-digest.ts';
import { revisionLine } from './page-head.ts';
import { triggerWords } from '../status-words.ts';

const mostChanges = 1_000;

/** The last applies, newest first. */
export function historySection({ history, now }: WatchStatus, most: number = mostItems.atFirst): Html {
  return html`<section id="history">
    <h2>Last applies</h2>
    ${
      history.length === 0
        ? html`<p class="quiet">No applies since this process started.</p>`
        : history.slice(0, most).map((one) => recordItem(one, now))
    }
    ${furtherItems(history.length, most, 'history')}
  </section>`;
}

function recordItem(record: ApplyRecord, now: number): Html {
  const { finishedAt, trigger, revision, approvals, outcome, omitted = [] } = record;
  const all: readonly (Pick<ChangeOutcome, 'action' | 'ending'> & { count?: number })[] = [...outcome, ...omitted];
  const finished = all.filter(({ ending }) => ending === 'done');
  const open = all.reduce((sum, { ending, count = 1 }) => (ending === 'done' ? sum : sum + count), 0);
  const what = [countActions(finished, 'done'), open === 0 ? '' : `${open} not done`].filter((text) => text !== '');
  const key = keyOf(record);
  const summary = html`${icon(open === 0 ? 'well' : 'bad')}
    <span class="what">${what.join(', ')}</span>
    <span class="quiet"
      >${timeElement(finishedAt, now)}, trigger:
      ${triggerWords[trigger]}${approvals.map(({ by }) => html`, approved by ${by}`)}</span
    >${revision !== undefined && html` <span class="quiet">${revisionLine(revision)}</span>`}`;
  return loadedFold(`h-${key}`, summary, `details?apply=${key}#part`);
}

/** One apply: its plan, who approved it, and what became of each change. */
export function applyDetails(record: ApplyRecord, now: number): Html {
  const { startedAt, finishedAt, digest, approvals, outcome, omitted = [], requests, plan } = record;
  const more = omitted.reduce((sum, { count }) => sum + count, Math.max(0, outcome.length - mostChanges));
  return html`<p class="quiet">
      Plan <code>${wholeDigest(digest)}</code>, ${counted(requests, 'API request')},
      ${durationShort(finishedAt - startedAt)}.
    </p>
    ${approvals.map(
      ({ digest: approved, by, at, reason }) =>
        html`<p>
          Approved by
          <b>${by}</b> ${timeElement(at, now)}${reason !== undefined && html`: ${prose(reason)}`}.
          <span class="quiet">Digest <code>${wholeDigest(approved)}</code></span>
        </p>`,
    )}
    <ul class="outcomes">
      ${outcome.slice(0, mostChanges).map(outcomeItem)}
    </ul>
    ${more > 0 && html`<p class="quiet">${more} more.</p>`}
    <pre class="plan" tabindex="0">${lines(plan.trimEnd())}</pre>`;
}

/** The apply with a key that the page links to. */
export function applyWithKey({ history }: WatchStatus, key: string): ApplyRecord | undefined {
  return history.find((record) => keyOf(record) === key);
}

function outcomeItem({ address, action, ending, message, failedDependency }: ChangeOutcome): Html {
  const { symbol, toDo, done } = actionWords[action];
  return html`<li class="${ending}">
    <span class="sign" aria-hidden="true">${symbol}</span> <code>${address}</code> ${
      ending === 'done' ? done : `${toDo}: ${endingText(ending)}`
    }${failedDependency !== undefined && html`, depends on <code>${failedDependency}</code>, which did not complete`}${message !== undefined && html`<p class="why">${prose(message)}</p>`}
  </li>`;
}

function keyOf({ startedAt, digest }: ApplyRecord): string {
  return shortHash(`${startedAt} ${digest}`);
}
