import { counted } from '../../diagnostics/counted.ts';
import type { SourceLocation } from '../../diagnostics/diagnostic.ts';
import type {
  DriftConflict,
  Exposure,
  PendingChange,
  RuleBreach,
  WatchFailure,
  WatchStatus,
} from '../../model/watch-status.ts';
import { actionWords, countActions } from '../plan/action-words.ts';
import { spanElement, timeElement } from '../text/ages.ts';
import { excerpt } from '../diagnostics/diagnostics-text.ts';
import { html, lines, prose, type Html } from '../text/html.ts';
import { wholeDigest } from './status-digest.ts';
import { approvalSection } from './status-page-approval.ts';
import { detailsOf, furtherItems, mostItems, resourceLink, textFold, type StatusSection } from './status-folds.ts';
import { anchorOf } from './graph/status-graph.ts';
import { icon } from './status-icons.ts';
import { needsPerson, pendingWords } from './status-words.ts';

const advice: Partial<Record<PendingChange['reason'], Html>> = {
  protected: html`Set <code>lifecycle.protect: false</code> in its manifest, in a revision of its own.`,
  manual: html`Allow it under <code>watch</code> in sluice.yaml, or run <code class="command">sluice apply</code>`,
  unresolved: html`Run <code class="command">sluice state resolve</code>`,
  refused: html`Correct its manifest, or what the message names in the account. It is retried, but the same request gets
  the same answer.`,
  'invalid-manifest': html`Correct its manifest: the errors are listed below.`,
};

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

/** Everything that only a person can resolve: pending changes, each with its command, and drift conflicts. */
export function actionSection(status: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const { pending, awaited, driftConflicts, now } = status;
  const asking = pending.filter(needsPerson);
  if (asking.length + driftConflicts.length === 0) return undefined;
  const approvals = asking.filter((one) => one.reason === 'approval');
  const others = asking.filter((one) => one.reason !== 'approval');
  return html`<section id="action" class="panel asks">
    <h2>Action required</h2>
    ${
      approvals.length === 0
        ? undefined
        : html`<article>
            <h3>
              ${counted(approvals.length, 'change')} pending approval:
              ${countActions(
                approvals.map(({ action }) => action),
                'toDo',
              )}
            </h3>
            ${
              awaited === undefined
                ? undefined
                : html`<p>
                    Review ${approvals.length === 1 ? 'it' : 'them'}, then run
                    <code class="command whole">sluice approve ${wholeDigest(awaited.digest)}</code>
                  </p>`
            }
            <ul class="changes">
              ${approvals.slice(0, most).map((one) => pendingItem(one, now))}
            </ul>
            ${furtherItems(approvals.length, most, 'action')}
            ${
              awaited === undefined
                ? undefined
                : textFold('awaited', 'The whole plan that this approves', awaited.plan, 'details?plan=awaited')
            }
            ${approvalSection(status)}
          </article>`
    }${others.slice(0, most).map(
      (one) =>
        html`<article>
          <ul class="changes">
            ${pendingItem(one, now)}
          </ul>
          <p>${advice[one.reason]}</p>
        </article>`,
    )}${furtherItems(others.length, most, 'action')}${driftConflicts.slice(0, most).map((one) => conflictItem(one, now))}
    ${furtherItems(driftConflicts.length, most, 'action')}
  </section>`;
}

/** Pending changes that need no action. */
export function pendingSection({ pending, now }: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const others = pending.filter((one) => !needsPerson(one) && one.reason !== 'drift-conflict');
  if (others.length === 0) return undefined;
  return html`<section id="pending" class="panel">
    <h2>Pending, no action required</h2>
    <ul class="changes">
      ${others.slice(0, most).map((one) => pendingItem(one, now))}
    </ul>
    ${furtherItems(others.length, most, 'pending')}
  </section>`;
}

/** Failures, and errors and warnings with places in the manifests. */
export function failuresSection(
  { failures, diagnostics, revision, lastGood, now }: WatchStatus,
  most: number = mostItems.atFirst,
): Html | undefined {
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
    }${failures.slice(0, most).map((one) => failureItem(one, now))}${furtherItems(failures.length, most, 'failures')}${diagnostics
      .slice(0, most)
      .map(diagnosticItem)}${furtherItems(diagnostics.length, most, 'failures')}
  </section>`;
}

/** A pending change; differences of more lines than `mostLines` are folded. */
export function pendingItem(one: PendingChange, now: number, mostLines = 12): Html {
  const { address, action, message, hazards, since, until } = one;
  const { symbol, toDo } = actionWords[action];
  return html`<li id="w-${one.reason}-${anchorOf(address)}">
    <p>
      <span class="sign" aria-hidden="true">${symbol}</span> ${toDo} ${resourceLink(address)}
      <span class="quiet"
        >${pendingWords[one.reason]} ·
        ${spanElement(since, now)}${until === undefined ? undefined : html`, retry ${timeElement(until, now)}`}</span
      >
    </p>
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

function conflictItem({ address, pointer, desired, actual, count, since }: DriftConflict, now: number): Html {
  return html`<article class="drift-conflict">
    <h3>
      ${icon('drift-conflict')}
      <span>Drift conflict: ${resourceLink(address)}</span>
    </h3>
    <p>
      ${pointer === '' ? 'sluice created the resource again' : html`sluice repaired <code>${pointer}</code>`}
      ${counted(count, 'time')} in ${spanElement(since, now)}, and something else changed it back each time. sluice has
      stopped repairing it.
    </p>
    <dl class="sides">
      <div>
        <dt>Desired (manifests)</dt>
        <dd><pre>${lines(desired)}</pre></dd>
      </div>
      <div>
        <dt>Actual (service)</dt>
        <dd><pre>${lines(actual)}</pre></dd>
      </div>
    </dl>
    <p>
      Find what else changes it, or ignore the field with <code>lifecycle.ignore</code>. A new revision that changes
      this field is applied.
    </p>
  </article>`;
}

function failureItem({ scope, code, message, hint, since, attempts, nextAttempt }: WatchFailure, now: number): Html {
  return html`<article class="failure">
    <h3>
      <span>${icon('failed')} <code>${scope}</code></span> <span class="quiet">${code}</span>
    </h3>
    <p>${prose(message)}</p>
    ${hint === undefined ? undefined : html`<p class="hint">${prose(hint)}</p>`}
    <p class="quiet">
      For ${spanElement(since, now)},
      ${counted(attempts, 'attempt')}${nextAttempt === undefined ? undefined : html`, next attempt ${timeElement(nextAttempt, now)}`}.
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
