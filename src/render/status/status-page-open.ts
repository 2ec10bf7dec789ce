import { counted } from '../../diagnostics/counted.ts';
import type { DriftConflict, WatchFailure, PendingChange, WatchStatus } from '../../model/watch-status.ts';
import { actionWords } from '../plan/action-words.ts';
import { spanElement, timeElement } from '../text/ages.ts';
import { excerpt } from '../diagnostics/diagnostics-text.ts';
import { html, lines, prose, type Html } from '../text/html.ts';
import { anchorOf } from './status-graph.ts';
import { icon } from './status-icons.ts';
import { needsPerson, pendingWords } from './status-words.ts';

const advice: Partial<Record<PendingChange['for'], Html>> = {
  protected: html`Only the manifests can let it go on: set <code>protect: false</code> there, in a change of its own.`,
  switch: html`Let watch do it in sluice.yaml, or do it now: <code class="command">sluice apply</code>`,
  resolve: html`Say what came of it with <code class="command">sluice state resolve</code>`,
  manifest: html`Mend its manifest: the errors are listed below.`,
};

/** What only a person can settle: changes that wait, with the command for each, and fights. */
export function needsSection({ waiting, approve, fights, now }: WatchStatus): Html | undefined {
  const asking = waiting.filter(needsPerson);
  if (asking.length + fights.length === 0) return undefined;
  const approvals = asking.filter((one) => one.for === 'approval');
  const others = asking.filter((one) => one.for !== 'approval');
  return html`<section id="needs" class="panel asks">
    <h2>Needs you</h2>
    ${
      approvals.length === 0
        ? undefined
        : html`<article>
            <h3>${counted(approvals.length, 'change')} ${approvals.length === 1 ? 'waits' : 'wait'} for approval</h3>
            ${
              approve === undefined
                ? undefined
                : html`<p>
                    Look at ${approvals.length === 1 ? 'it' : 'them'}, then let
                    ${approvals.length === 1 ? 'it' : 'them'} go on:
                    <code class="command">sluice approve ${approve}</code>
                  </p>`
            }
            <ul class="changes">
              ${approvals.map((one) => waitingItem(one, now))}
            </ul>
          </article>`
    }${others.map(
      (one) =>
        html`<article>
          <ul class="changes">
            ${waitingItem(one, now)}
          </ul>
          <p>${advice[one.for]}</p>
        </article>`,
    )}${fights.map((one) => fightItem(one, now))}
  </section>`;
}

/** What waits without needing anybody. */
export function waitsSection({ waiting, now }: WatchStatus): Html | undefined {
  const others = waiting.filter((one) => !needsPerson(one) && one.for !== 'fight');
  if (others.length === 0) return undefined;
  return html`<section id="waits" class="panel">
    <h2>Waiting, and goes on by itself</h2>
    <ul class="changes">
      ${others.map((one) => waitingItem(one, now))}
    </ul>
  </section>`;
}

/** What is being done at this moment. */
export function applyingSection({ applying, resources }: WatchStatus): Html | undefined {
  if (applying === undefined) return undefined;
  const toCome = resources.filter(({ standing }) => standing === 'changing').length;
  return html`<section id="applying" class="panel busy">
    <h2>Being applied</h2>
    <p>Plan <code>${applying.digest}</code>${toCome === 0 ? undefined : html`, ${toCome} still to come`}.</p>
    <ul class="running">
      ${applying.running.map((address) => html`<li id="a-${anchorOf(address)}">${icon('applying')} <code>${address}</code></li>`)}
    </ul>
  </section>`;
}

/** What went wrong, with places in the manifests. */
export function troublesSection({ troubles, diagnostics, revision, inForce, now }: WatchStatus): Html | undefined {
  if (troubles.length + diagnostics.length === 0) return undefined;
  const differs = inForce !== undefined && revision !== undefined && inForce.content !== revision.content;
  const bad = troubles.length > 0 || diagnostics.some(({ severity }) => severity === 'error');
  return html`<section id="troubles" class="${bad ? 'panel bad' : 'panel'}">
    <h2>${bad ? 'What went wrong' : 'What the manifests are warned of'}</h2>
    ${
      differs
        ? html`<p>
            Revision <code>${nameOf(revision)}</code> was read; <code>${nameOf(inForce)}</code> stays in force.
          </p>`
        : undefined
    }${troubles.map((one) => troubleItem(one, now))}${diagnostics.slice(0, mostDiagnostics).map(diagnosticItem)}${
      diagnostics.length <= mostDiagnostics
        ? undefined
        : html`<p>${diagnostics.length - mostDiagnostics} more: <code class="command">sluice validate</code></p>`
    }
  </section>`;
}

const mostDiagnostics = 50;

function waitingItem(one: PendingChange, now: number): Html {
  const { address, action, why, hazards, since, until } = one;
  const { symbol, toDo } = actionWords[action];
  return html`<li id="w-${one.for}-${anchorOf(address)}">
    <p>
      <span class="sign" aria-hidden="true">${symbol}</span> ${toDo}
      <a href="#${anchorOf(address)}"><code>${address}</code></a>
      <span class="quiet"
        >${pendingWords[one.for]} ·
        ${spanElement(since, now)}${until === undefined ? undefined : html`, again ${timeElement(until, now)}`}</span
      >
    </p>
    ${why === '' ? undefined : html`<p class="why">${prose(why)}</p>`}${hazards.map(
      ({ code, message, momentary }) =>
        html`<p class="hazard"><b>${code}</b>${momentary === true ? ' for a moment' : ''}: ${prose(message)}</p>`,
    )}
  </li>`;
}

function fightItem({ address, pointer, ours, theirs, times, since }: DriftConflict, now: number): Html {
  return html`<article class="fight">
    <h3>
      ${icon('fight')}
      <span
        >Fought over: <a href="#${anchorOf(address)}"><code>${address}</code></a></span
      >
    </h3>
    <p>
      ${pointer === '' ? 'The whole resource was put back' : html`<code>${pointer}</code> was put right`}
      ${counted(times, 'time')} in ${spanElement(since, now)}, and changed again by others each time. Healing it has
      stopped.
    </p>
    <dl class="sides">
      <div>
        <dt>Ours, as the manifests say</dt>
        <dd><pre>${lines(ours)}</pre></dd>
      </div>
      <div>
        <dt>Theirs, as it is there</dt>
        <dd><pre>${lines(theirs)}</pre></dd>
      </div>
    </dl>
    <p>
      Settle whose it is: leave it to them (<code>lifecycle.ignore</code>), or find who changes it. The next revision
      that touches it is applied.
    </p>
  </article>`;
}

function troubleItem({ cause, code, message, hint, since, tries, nextTry }: WatchFailure, now: number): Html {
  return html`<article class="trouble">
    <h3>
      <span>${icon('failed')} <code>${cause}</code></span> <span class="quiet">${code}</span>
    </h3>
    <p>${prose(message)}</p>
    ${hint === undefined ? undefined : html`<p class="hint">${prose(hint)}</p>`}
    <p class="quiet">
      For ${spanElement(since, now)}, tried
      ${counted(tries, 'time')}${nextTry === undefined ? undefined : html`, again ${timeElement(nextTry, now)}`}.
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
