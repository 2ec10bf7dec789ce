import { counted } from '../../../diagnostics/counted.ts';
import { failedSubject } from '../../../model/status/failed-subject.ts';
import type { WatchFailure, WatchStatus } from '../../../model/status/watch-status.ts';
import { excerpt } from '../../diagnostics/diagnostics-text.ts';
import { placeText } from '../../../diagnostics/diagnostic.ts';
import { html, lines, prose, spanElement, type Html } from '../../text/html.ts';
import { nextAttempt, retryText } from './next-attempt.ts';
import { commandsIn } from '../sluice-command.ts';
import { differenceBlock, stillOpenLines } from './pending-section.ts';
import { furtherItems, mostItems, resourceLink } from './status-folds.ts';
import { icon } from './status-icons.ts';
import { revisionName } from '../status-words.ts';

/** Failures, and errors and warnings with places in the manifests. A refused change is among the required actions. */
export function failuresSection(status: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const { diagnostics, revision, lastGood } = status;
  const refused = new Set(status.pending.flatMap(({ reason, address }) => (reason === 'refused' ? [address] : [])));
  const failures = status.failures.filter(({ scope }) => !refused.has(scope));
  if (failures.length + diagnostics.length === 0) return undefined;
  const differs = lastGood !== undefined && revision !== undefined && lastGood.content !== revision.content;
  // If all have the same time, it is shown under Activity.
  const isNextSaid =
    new Set(status.failures.map(({ nextAttempt: at }) => at)).size < 2 || status.applying !== undefined;
  const bad = failures.length > 0 || diagnostics.some(({ severity }) => severity === 'error');
  return html`<section id="failures" class="panel${bad ? ' bad' : ''}">
    <h2>${bad ? 'Errors' : 'Warnings'}</h2>
    ${
      differs &&
      html`<p>
        Revision <code>${revisionName(revision)}</code> has errors; revision
        <code>${revisionName(lastGood)}</code> stays active.
      </p>`
    }${failures.slice(0, most).map((one) => failureItem(one, status, isNextSaid))}${furtherItems(failures.length, most, 'failures')}${diagnostics
      .slice(0, most)
      .map(diagnosticItem)}${furtherItems(diagnostics.length, most, 'failures')}
  </section>`;
}

function failureItem(failure: WatchFailure, status: WatchStatus, isNextSaid: boolean): Html {
  const { scope, code, message, details, hint, since, attempts, nextAttempt: nextAt } = failure;
  const isResource = status.resources.some(({ address }) => address === scope);
  return html`<article class="failure">
    <h3>
      <span>${icon('failed')} ${isResource ? resourceLink(scope) : html`<code>${failedSubject(failure)}</code>`}</span>
      <span class="quiet">${code}</span>
    </h3>
    <p>${prose(message)}</p>
    ${details !== undefined && differenceBlock('failed', scope, details)}
    ${stillOpenLines(status.pending.find(({ address }) => address === scope)?.hazards ?? [])}
    ${hint !== undefined && html`<p class="hint">${prose(commandsIn(hint, status.dir))}</p>`}
    <p class="quiet">
      Failing for
      ${spanElement(since, status.now)}${attempts === 0 ? ', the next attempt is running.' : html`, ${counted(attempts, 'attempt')}. ${retryText(failure)}`}${attempts > 0 && !isNextSaid && html` Next attempt ${nextAttempt(nextAt, status)}.`}
    </p>
  </article>`;
}

function diagnosticItem(diagnostic: WatchStatus['diagnostics'][number]): Html {
  const { severity, code, message, hint, place, address, related = [] } = diagnostic;
  const at = (spot: typeof place): Html | undefined => spot && html`<code class="place">${placeText(spot)}</code>`;
  const shown = (spot: typeof place): Html | undefined => {
    const text = excerpt(spot);
    return text.length === 0
      ? undefined
      : html`<pre class="excerpt" role="group" aria-label="Excerpt" tabindex="0">${lines(text.join('\n'))}</pre>`;
  };
  return html`<article class="diagnostic ${severity}">
    <h3><span>${severity}: ${prose(message)}</span> <span class="quiet">${code}</span></h3>
    <p>${at(place)}${address !== undefined && html` <code>${address}</code>`}</p>
    ${shown(place)}${related.map(
      (other) =>
        html`<p>${at(other.place)} ${prose(other.message)}</p>
          ${shown(other.place)}`,
    )}${hint !== undefined && html`<p class="hint">${prose(hint)}</p>`}
  </article>`;
}
