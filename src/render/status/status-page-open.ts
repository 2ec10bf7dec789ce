import { counted } from '../../diagnostics/counted.ts';
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type { Exposure, PendingChange, RuleBreach, WatchFailure, WatchStatus } from '../../model/watch-status.ts';
import { failedSubject } from '../../model/failed-subject.ts';
import { actionWords } from '../plan/action-words.ts';
import { spanElement } from '../text/ages.ts';
import { retryText } from './failure-words.ts';
import { nextAttempt } from './next-attempt.ts';
import { excerpt } from '../diagnostics/diagnostics-text.ts';
import { html, lines, prose, type Html } from '../text/html.ts';
import { detailsOf, furtherItems, mostItems, resourceLink, textFold, type StatusSection } from './status-folds.ts';
import { anchorOf } from './graph/status-graph.ts';
import { icon } from './status-icons.ts';
import { needsPerson, pendingWords } from './status-words.ts';

/** URLs that anyone can reach now, and that are not meant to be public. */
export function exposureSection({ exposures }: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  return accessSection(
    'exposed',
    'Publicly exposed',
    exposures,
    most,
    html`<p>
      Restrict access in the manifests and apply them; or list the URL under <code>access.public</code> in sluice.yaml
      if it is meant to be public.
    </p>`,
  );
}

/** Access rules that the account breaks now. */
export function ruleSection({ ruleBreaches }: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  return accessSection(
    'rules',
    'Access rules broken',
    ruleBreaches,
    most,
    html`<p>
      Apply the change that restores the rule, if <code class="command">sluice plan</code> shows one; otherwise correct
      the manifests.
    </p>`,
  );
}

function accessSection(
  id: StatusSection,
  heading: string,
  findings: readonly (Pick<Exposure, 'address' | 'message'> & Pick<RuleBreach, 'place' | 'rulePlace'>)[],
  most: number,
  whatToDo: Html,
): Html | undefined {
  if (findings.length === 0) return undefined;
  return html`<section id="${id}" class="panel bad">
    <h2>${heading}</h2>
    ${findings.slice(0, most).map(
      ({ address, message, place, rulePlace }) =>
        html`<article>
          <h3>${resourceLink(address)}</h3>
          <p>${prose(message)}</p>
          ${writtenAt('Route', place)} ${writtenAt('Rule', rulePlace)}
        </article>`,
    )}
    ${furtherItems(findings.length, most, id)} ${whatToDo}
  </section>`;
}

function writtenAt(what: string, place: SourceLocation | undefined): Html | undefined {
  return place === undefined ? undefined : html`<p>${what}: <code class="place">${place.file}:${place.line}</code></p>`;
}

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
    <h2>Pending, no action required</h2>
    <ul class="changes">
      ${others.slice(0, most).map((one) => pendingItem(one, status, { follows: following.has(one.address) }))}
    </ul>
    ${furtherItems(others.length, most, 'pending')}
  </section>`;
}

/** Failures, and errors and warnings with places in the manifests. A refused change is among the required actions. */
export function failuresSection(status: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const { diagnostics, revision, lastGood } = status;
  const refused = new Set(status.pending.flatMap(({ reason, address }) => (reason === 'refused' ? [address] : [])));
  const failures = status.failures.filter(({ scope }) => !refused.has(scope));
  if (failures.length + diagnostics.length === 0) return undefined;
  const differs = lastGood !== undefined && revision !== undefined && lastGood.content !== revision.content;
  const bad = failures.length > 0 || diagnostics.some(({ severity }) => severity === 'error');
  return html`<section id="failures" class="${bad ? 'panel bad' : 'panel'}">
    <h2>${bad ? 'Errors' : 'Warnings'}</h2>
    ${
      differs
        ? html`<p>
            Revision <code>${nameOf(revision)}</code> has errors; revision <code>${nameOf(lastGood)}</code> stays
            active.
          </p>`
        : undefined
    }${failures.slice(0, most).map((one) => failureItem(one, status))}${furtherItems(failures.length, most, 'failures')}${diagnostics
      .slice(0, most)
      .map(diagnosticItem)}${furtherItems(diagnostics.length, most, 'failures')}
  </section>`;
}

/** How a pending change is shown. */
interface PendingView {
  /** Differences of more lines are folded. */
  readonly mostLines?: number;
  /** It follows by itself once the changes pending approval are done. */
  readonly follows?: boolean;
}

/** A pending change: what, why, since when, what would change. */
export function pendingItem(
  one: PendingChange,
  status: WatchStatus,
  { mostLines = 12, follows }: PendingView = {},
): Html {
  const { address, action, message, hazards, since, until } = one;
  const { symbol, toDo } = actionWords[action];
  return html`<li id="w-${one.reason}-${anchorOf(address)}">
    <p>
      <span class="sign" aria-hidden="true">${symbol}</span>
      ${action === 'none' ? undefined : `${toDo} `}${resourceLink(address)}
      <span class="quiet"
        >${pendingWords[one.reason]} ·
        ${spanElement(since, status.now)}${until === undefined ? undefined : html`, next attempt ${nextAttempt(until, status)}`}</span
      >
    </p>
    ${follows === true ? html`<p class="why">Applied by itself once the changes pending approval are done.</p>` : undefined}
    ${one.hazardCode === undefined && message !== '' ? html`<p class="why">${prose(message)}</p>` : undefined}${causeLine(one)}${hazards.map(
      ({ code, message, temporary }) =>
        html`<p class="hazard"><b>${code}</b>${temporary === true ? ' (temporary)' : ''}: ${prose(message)}</p>`,
    )}${differenceBlock(one, mostLines)}
  </li>`;
}

/** Where a change comes from: a commit, drift, a renewal. */
function causeLine({ cause, introduced }: PendingChange): Html | undefined {
  if (cause === 'drift') return html`<p class="why">Cause: drift, changed outside of sluice</p>`;
  if (cause === 'renewal') return html`<p class="why">Cause: renewal is due</p>`;
  if (introduced === undefined) return undefined;
  const { revision, isExact } = introduced;
  const what = revision.commit === undefined ? 'revision' : 'commit';
  return html`<p class="why">
    Cause: ${what} <code>${nameOf(revision)}</code> ${isExact ? revision.subject : 'or an earlier one'}
  </p>`;
}

/** What would change: short differences at once, long ones folded. */
function differenceBlock({ address, reason, details }: PendingChange, mostLines: number): Html | undefined {
  if (details === '') return undefined;
  const count = details.trimEnd().split('\n').length;
  const isShort = count <= mostLines && details.length <= mostLines * longestLine;
  return isShort
    ? html`<pre class="difference" tabindex="0">${lines(details.trimEnd())}</pre>`
    : textFold(`d-${reason}-${anchorOf(address)}`, 'What would change', details, detailsOf(address));
}

const longestLine = 100;

function failureItem(failure: WatchFailure, status: WatchStatus): Html {
  const { scope, code, message, hint, since, attempts } = failure;
  const isResource = status.resources.some(({ address }) => address === scope);
  return html`<article class="failure">
    <h3>
      <span>${icon('failed')} ${isResource ? resourceLink(scope) : html`<code>${failedSubject(failure)}</code>`}</span>
      <span class="quiet">${code}</span>
    </h3>
    <p>${prose(message)}</p>
    ${hint === undefined ? undefined : html`<p class="hint">${prose(hint)}</p>`}
    <p class="quiet">
      For
      ${spanElement(since, status.now)}${attempts === 0 ? ', tried again now.' : html`, ${counted(attempts, 'attempt')}. ${retryText(failure, status)}`}
    </p>
  </article>`;
}

function diagnosticItem(diagnostic: WatchStatus['diagnostics'][number]): Html {
  const { severity, code, message, hint, place, address, related = [] } = diagnostic;
  const at = (spot: typeof place): Html | undefined =>
    spot === undefined ? undefined : html`<code class="place">${spot.file}:${spot.line}</code>`;
  const shown = (spot: typeof place): Html | undefined => {
    const text = excerpt(spot);
    return text.length === 0
      ? undefined
      : html`<pre class="excerpt" role="group" aria-label="Excerpt" tabindex="0">${lines(text.join('\n'))}</pre>`;
  };
  return html`<article class="diagnostic ${severity}">
    <h3><span>${severity}: ${prose(message)}</span> <span class="quiet">${code}</span></h3>
    <p>${at(place)}${address === undefined ? undefined : html` <code>${address}</code>`}</p>
    ${shown(place)}${related.map(
      (other) =>
        html`<p>${at(other.place)} ${prose(other.message)}</p>
          ${shown(other.place)}`,
    )}${hint === undefined ? undefined : html`<p class="hint">${prose(hint)}</p>`}
  </article>`;
}

function nameOf({ commit, content }: NonNullable<WatchStatus['revision']>): string {
  return commit?.slice(0, 7) ?? content;
}
