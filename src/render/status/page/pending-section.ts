import type { Address } from '../../../model/address.ts';
import type { PendingChange, Revision, WatchStatus } from '../../../model/status/watch-status.ts';
import { actionWords } from '../../plan/action-words.ts';
import { html, lines, prose, spanElement, type Html } from '../../text/html.ts';
import { anchorOf } from '../graph/status-graph.ts';
import { nextAttempt } from './next-attempt.ts';
import { detailsOf, furtherItems, mostItems, resourceLink, textFold } from './status-folds.ts';
import { needsPerson, pendingWords, stillOpenTexts } from '../pending-words.ts';
import { icon } from './status-icons.ts';

/** Pending changes that need no action. What is retried is among the failures. */
export function pendingSection(status: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const { pending, failures, awaited } = status;
  const failed = new Set(failures.map(({ scope }) => scope));
  const others = pending.filter(
    (one) =>
      !needsPerson(one) && one.reason !== 'drift-conflict' && !(one.reason === 'retry' && failed.has(one.address)),
  );
  if (others.length === 0) return undefined;
  const following = new Set(awaited?.follows.map(({ address }) => address));
  return html`<section id="pending" class="panel">
    <h2>Waiting, no action required</h2>
    <ul class="changes">
      ${others.slice(0, most).map((one) => pendingItem(one, status, { follows: following.has(one.address) }))}
    </ul>
    ${furtherItems(others.length, most, 'pending')}
  </section>`;
}

interface PendingView {
  /** Differences of more lines are folded. */
  readonly mostLines?: number;
  /** Whether its reason is shown already, at the change above it. */
  readonly isReasonSaid?: boolean;
  /** Whether it follows automatically once the changes that require approval are done. */
  readonly follows?: boolean;
}

/** A pending change: what, why, since when, what would change. */
export function pendingItem(
  one: PendingChange,
  status: WatchStatus,
  { mostLines = fewLines, follows, isReasonSaid }: PendingView = {},
): Html {
  const { address, action, message, hazards, since } = one;
  const { symbol, toDo } = actionWords[action];
  return html`<li id="w-${one.reason}-${anchorOf(address)}">
    <p>
      <span class="sign" aria-hidden="true">${symbol}</span>
      ${action !== 'none' && `${toDo} `}${resourceLink(address)}
      <span class="quiet"
        >${waitingFor(one, status)}, ${one.reason === 'retry' ? 'failing for' : 'for'}
        ${spanElement(since, status.now)}</span
      >
    </p>
    ${follows === true && html`<p class="why">Applied automatically once the changes that require approval are done.</p>`}
    ${one.hazardCode === undefined && message !== '' && isReasonSaid !== true && html`<p class="why">${prose(message)}</p>`}${causeLine(one)}${hazards.map(
      ({ code, message, temporary }) =>
        html`<p class="hazard"><b>${code}</b>${temporary === true ? ' (temporary)' : ''}: ${prose(message)}</p>`,
    )}${stillOpenLines(hazards)}${differenceBlock(one.reason, address, one.details, mostLines)}
  </li>`;
}

/** Who still gets in while a change that would keep them out is not applied. */
export function stillOpenLines(hazards: PendingChange['hazards']): readonly Html[] {
  return stillOpenTexts(hazards).map((text) => html`<p class="hazard">${icon('public')} ${text}</p>`);
}

function waitingFor({ reason, waitsFor, until }: PendingChange, status: WatchStatus): Html {
  if (waitsFor !== undefined) return html`waits for ${resourceLink(waitsFor)}`;
  if (reason === 'retry') return html`retried ${nextAttempt(until, status)}`;
  return html`${pendingWords(reason)}`;
}

function causeLine({ cause, introduced }: PendingChange): Html | undefined {
  if (cause === 'drift') return html`<p class="why">Cause: drift, changed outside sluice</p>`;
  if (cause === 'renewal') return html`<p class="why">Cause: renewal is due</p>`;
  if (introduced === undefined) return undefined;
  const { revision, isExact } = introduced;
  return html`<p class="why">
    Cause: ${whatRevision(revision)} <code>${revision.commit?.slice(0, 7) ?? revision.content}</code>
    ${isExact ? revision.subject : 'or an earlier revision'}
  </p>`;
}

function whatRevision({ commit, isUncommitted }: Revision): string {
  if (commit === undefined) return 'revision';
  return isUncommitted === true ? 'uncommitted changes on top of commit' : 'commit';
}

/** What would change: short differences at once, long ones folded. */
export function differenceBlock(key: string, address: Address, details: string, most = fewLines): Html | undefined {
  if (details === '') return undefined;
  const count = details.trimEnd().split('\n').length;
  const isShort = count <= most && details.length <= most * longestLine;
  return isShort
    ? html`<pre class="difference" tabindex="0">${lines(details.trimEnd())}</pre>`
    : textFold(`d-${key}-${anchorOf(address)}`, 'What would change', details, detailsOf(address));
}

const fewLines = 12;
const longestLine = 100;
