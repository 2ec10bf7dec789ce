import { groupBy } from '../../../model/group-by.ts';
import {
  changeProgresses,
  type ApplyStart,
  type RunningChange,
  type WatchFailure,
  type WatchStatus,
} from '../../../model/status/watch-status.ts';
import { actionWords } from '../../plan/action-words.ts';
import { html, prose, timeElement, type Html } from '../../text/html.ts';
import { retryText } from './next-attempt.ts';
import { differenceBlock } from './pending-section.ts';
import { anchorOf } from '../graph/status-graph.ts';
import { asHeadline } from '../failure-words.ts';
import { shortDigest } from '../status-digest.ts';
import { furtherItems, mostItems, resourceLink } from './status-folds.ts';
import { icon } from './status-icons.ts';
import { revisionLine } from './page-head.ts';
import { triggerWords } from '../status-words.ts';

const progressIcons: Readonly<Record<RunningChange['progress'], Parameters<typeof icon>[0]>> = {
  failed: 'bad',
  skipped: 'unknown',
  running: 'applying',
  'to-do': 'out-of-sync',
  done: 'well',
};

/** The apply that is running: what triggered it, and how far each of its changes has come. */
export function applyingSection(status: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const { applying, now } = status;
  if (applying === undefined) return undefined;
  const groups = groupBy(applying.changes, ({ progress }) => progress);
  return html`<section id="applying" class="panel busy">
    <h2>Applying</h2>
    ${triggerLine(applying, now)}
    <p class="quiet">Plan ${shortDigest(applying.digest)}</p>
    ${changeProgresses.map((progress) => progressGroup(progress, groups.get(progress) ?? [], most, status))}
  </section>`;
}

/** What triggered an apply: commit, drift, approval, renewal or retry; who approved it, and whether somebody asked for it. */
export function triggerLine({ trigger, isRequested, revision, approvals }: ApplyStart, now: number): Html {
  return html`<p>
      Trigger: <b>${triggerWords[trigger]}</b>${
        isRequested === true && html`, found by <code>sluice reconcile</code>`
      }${revision !== undefined && html`. Revision: ${revisionLine(revision)}`}
    </p>
    ${approvals.map(
      ({ by, at, reason }) =>
        html`<p>
          Approved by <b>${by}</b> ${timeElement(at, now)}${reason !== undefined && html`: ${prose(reason)}`}
        </p>`,
    )}`;
}

function progressGroup(
  progress: RunningChange['progress'],
  changes: readonly RunningChange[],
  most: number,
  status: WatchStatus,
): Html | undefined {
  if (changes.length === 0) return undefined;
  const failureOf = new Map(status.failures.map((one) => [one.scope, one]));
  return html`<h3 id="ag-${progress}" class="${progress}">
      ${icon(progressIcons[progress])} ${asHeadline(progress.replace('-', ' '))}: ${changes.length}
    </h3>
    <ul id="al-${progress}" class="progress">
      ${changes
        .slice(0, most)
        .map(
          ({ address, action, failedDependency, details = '' }) =>
            html`<li id="a-${anchorOf(address)}">
              ${actionWords[action].toDo} ${resourceLink(address)}
              ${progress === 'failed' && failedText(failureOf.get(address))}
              ${(progress === 'running' || progress === 'to-do') && differenceBlock(`a-${progress}`, address, details)}
              ${failedDependency !== undefined && html`<p class="why">depends on <code>${failedDependency}</code>, which was not done</p>`}
            </li>`,
        )}
    </ul>
    ${furtherItems(changes.length, most, 'applying')}`;
}

function failedText(failure: WatchFailure | undefined): Html | undefined {
  if (failure === undefined) return undefined;
  return html`<p class="hazard">${prose(failure.message)}</p>
    <p class="why">${retryText(failure)}</p>`;
}
