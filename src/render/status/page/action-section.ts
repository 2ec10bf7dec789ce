import type { DriftConflict, PendingChange, WatchStatus } from '../../../model/status/watch-status.ts';
import { html, lines, prose, timeElement, type Html } from '../../text/html.ts';
import { manualChoices } from '../manual-choices.ts';
import { fact, furtherItems, mostItems, resourceLink } from './status-folds.ts';
import { approvalArticle } from './approval-article.ts';
import { pendingItem } from './pending-section.ts';
import { icon } from './status-icons.ts';
import { conflictAdvice, conflictSummary, needsPerson, pendingAdvice } from '../pending-words.ts';

/** Everything that only a person can resolve: pending changes, each with its command, and drift conflicts. */
export function actionSection(status: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const { pending, driftConflicts, now } = status;
  const asking = pending.filter(needsPerson);
  if (asking.length + driftConflicts.length === 0) return undefined;
  const others = asking.filter((one) => one.reason !== 'approval');
  return html`<section id="action" class="panel asks">
    <h2>Action required</h2>
    ${approvalArticle(status, most)}${others.slice(0, most).map(
      (one) =>
        html`<article>
          <ul class="changes">
            ${pendingItem(one, status)}
          </ul>
          ${one.reason === 'manual' ? choicesOf(one, status) : html`<p>${prose(adviceOn(one, status))}</p>`}
        </article>`,
    )}${furtherItems(others.length, most, 'action')}${driftConflicts.slice(0, most).map((one) => conflictItem(one, now))}
    ${furtherItems(driftConflicts.length, most, 'action')}
  </section>`;
}

function adviceOn(one: PendingChange, status: WatchStatus): string {
  return pendingAdvice(one.reason, { address: one.address, dir: status.dir, source: sourceOf(one, status) });
}

function sourceOf({ address }: PendingChange, { resources }: WatchStatus): string | undefined {
  return resources.find((one) => one.address === address)?.source;
}

function choicesOf(one: PendingChange, status: WatchStatus): Html {
  const choices = manualChoices({ cause: one.cause, changes: [one], source: sourceOf(one, status), dir: status.dir });
  return html`${choices.map(
    ({ label, text, commands }) =>
      html`<p class="choice"><b>${label}:</b> ${prose(text)}</p>
        ${commands.length > 0 && html`<pre class="command">${lines(commands.join('\n'))}</pre>`} `,
  )}`;
}

function conflictItem(conflict: DriftConflict, now: number): Html {
  return html`<article class="drift-conflict">
    <h3>
      ${icon('drift-conflict')}
      <span>Drift conflict: ${resourceLink(conflict.address)}</span>
    </h3>
    <p>${prose(conflictSummary(conflict))}. sluice stopped repairing it ${timeElement(conflict.since, now)}.</p>
    <dl class="sides">
      ${fact('Desired (manifests)', html`<pre>${lines(conflict.desired)}</pre>`)}
      ${fact('Actual (service)', html`<pre>${lines(conflict.actual)}</pre>`)}
    </dl>
    <p>${prose(conflictAdvice(conflict))}</p>
  </article>`;
}
