import { counted } from '../../../diagnostics/counted.ts';
import { placeText } from '../../../diagnostics/diagnostic.ts';
import { approvalObstacle } from '../../../model/status/approval-obstacle.ts';
import { failedSubject } from '../../../model/status/failed-subject.ts';
import { isOnStandby } from '../../../model/status/on-standby.ts';
import { stuckFailures } from '../../../model/status/stuck-failure.ts';
import type { AwaitedApproval, WatchStatus } from '../../../model/status/watch-status.ts';
import { hazardTexts, operationTexts } from '../../plan/approval-summary.ts';
import { html, prose, spanElement, type Html } from '../../text/html.ts';
import { resourceLink } from './status-folds.ts';
import { causeIcon, icon } from './status-icons.ts';
import { toneOf } from '../status-causes.ts';
import { questionsOf, type Question } from '../status-questions.ts';
import { commandsIn, sluiceCommand } from '../sluice-command.ts';
import { approvalEffectText } from '../status-words.ts';
import { canApproveOnPage, givenApproval } from './approval-article.ts';

/** What only a person can resolve, in brief: the first of the resources, and where to go on. */
export function actionsAnswer(status: WatchStatus): Html {
  const { awaited, now } = status;
  const asked = questionsOf(status);
  const [first] = asked;
  if (first === undefined) return withoutQuestions(status);
  const hints = stuckFailures(status).filter(({ hint }) => hint !== undefined);
  return html`<ul class="asked">
      ${asked.map(
        (one) =>
          html`<li>
            ${icon(causeIcon(one.cause), toneOf(one.cause))}
            ${one.text}${one.since !== undefined && html`<span class="quiet">, for ${spanElement(one.since, now)}</span>`}
            ${one.cause === 'approval' && awaited !== undefined ? approvalNote(awaited) : namedNote(one, status)}
          </li>`,
      )}
    </ul>
    ${hints.slice(0, mostNamed).map((one) => html`<p><code>${failedSubject(one)}</code>: ${prose(commandsIn(one.hint ?? '', status.dir))}</p>`)}
    ${awaited !== undefined && (givenApproval(status) ?? approvalHint(status))}
    <p class="quiet"><a href="#${first.section}">Details</a></p>`;
}

function approvalNote({ summary }: AwaitedApproval): Html {
  const hazards = hazardTexts(summary);
  return html`<p class="why">
    ${operationTexts(summary).join('; ')}${hazards.length > 0 && html`. <b class="codes">${hazards.join(', ')}</b>`}
  </p>`;
}

/** Where to approve: on this page, or by a command where the page takes no approvals. */
function approvalHint(status: WatchStatus): Html {
  if (approvalObstacle(status) === 'unsaved')
    return html`<p>${approvalEffectText('unsaved')}. <a href="#action">Show the changes</a></p>`;
  return canApproveOnPage(status)
    ? html`<p><a class="primary" href="#action">Review and approve</a></p>`
    : html`<p>
        To review and approve, run <code class="command">${sluiceCommand(status.dir, ['approve'])}</code> in a terminal.
      </p>`;
}

function namedNote({ addresses, cause }: Question, { resources, diagnostics }: WatchStatus): Html | undefined {
  if (cause === 'invalid-manifests' && addresses.length === 0) return placesNote(diagnostics);
  if (addresses.length === 0) return undefined;
  // One address may be there several times: a resource can have several drift conflicts.
  const all = [...new Set(addresses)];
  const named = new Set(all.slice(0, mostNamed));
  const sources = new Map(resources.flatMap((one) => (named.has(one.address) ? [[one.address, one.source]] : [])));
  const items = [...named].map((address) => {
    const source = all.length > mostNamed ? undefined : sources.get(address);
    return html`${resourceLink(address)}${source !== undefined && html` <code class="place">${source}</code>`}`;
  });
  return firstOf(items, all.length);
}

function placesNote(diagnostics: WatchStatus['diagnostics']): Html | undefined {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const places = [...new Set(errors.flatMap(({ place }) => (place === undefined ? [] : [placeText(place)])))];
  if (places.length === 0) return undefined;
  const items = places.slice(0, mostNamed).map((place) => html`<code class="place">${place}</code>`);
  return firstOf(items, places.length);
}

function firstOf(items: readonly Html[], count: number): Html {
  return html`<p class="why">
    ${items.map((item) => html`<span>${item}</span>`)}
    ${count > items.length && html`<span>and ${count - items.length} more</span>`}
  </p>`;
}

const mostNamed = 3;

function withoutQuestions(status: WatchStatus): Html {
  const { failures, resources } = status;
  if (isOnStandby(status)) return askedOnLeader(status);
  const [first] = failures;
  if (first === undefined) return html`<p>None.</p>`;
  const { scope } = first;
  const more = failures.length > 1 ? ` and ${counted(failures.length - 1, 'other failure')}` : '';
  const isResource = resources.some(({ address }) => address === scope);
  return html`<p>None. sluice retries${isResource && html` <code>${scope}</code>${more}`} automatically.</p>`;
}

function askedOnLeader({ leaderRecorded, leaderUrl }: WatchStatus): Html {
  const page =
    leaderUrl === undefined
      ? html`the status page of the leader`
      : html`<a href="${leaderUrl}">the status page of the leader</a>`;
  if (leaderRecorded === undefined) return html`<p>Not known here. See ${page}.</p>`;
  const { asked } = leaderRecorded;
  if (asked.length === 0) return html`<p>None, as last recorded by the leader. Details are on ${page}.</p>`;
  return html`<ul class="asked">
      ${asked.map((text) => html`<li>${icon('asks')} ${text}</li>`)}
    </ul>
    <p class="quiet">As last recorded by the leader. Details, and where to approve, are on ${page}.</p>`;
}
