import { approvalObstacle } from '../../../model/status/approval-obstacle.ts';
import type { PendingChange } from '../../../model/status/watch-status.ts';
import { html, prose, spanElement, timeElement, type Html } from '../../text/html.ts';
import { activityText } from '../status-activity.ts';
import { icon } from '../page/status-icons.ts';
import type { Cause } from '../status-causes.ts';
import { countReasons, pendingWords } from '../pending-words.ts';
import { approvalEffectText } from '../status-words.ts';
import { stackUrl } from '../stack-url.ts';
import { conditionFacts, type FleetRow } from './fleet-row.ts';

// Of further ones there is the number.
const mostNamed = 2;

/** A stack of a fleet: what is the matter with which resources since when, what happens next, and which revisions it has. */
export function fleetPageRow(row: FleetRow, now: number): Html {
  const { path, status, condition, tone, headline, detail, failure, elsewhere } = row;
  const page = status === undefined ? elsewhere?.url && new URL(stackUrl(path), elsewhere.url).href : stackUrl(path);
  const name = status?.stack.name ?? path;
  return html`<li id="stack-${encodeURIComponent(path)}" class="resource stack t-${tone}">
    <span class="sync-status">${icon(tone)} ${conditionFacts[condition].label}</span>
    <span class="address"
      >${page === undefined ? html`<b>${name}</b>` : html`<a href="${page}">${name}</a>`}${
        name !== path && html` <code class="quiet">${path}</code>`
      }</span
    >
    <span class="note"
      >${headline}${detail !== undefined && html`. ${prose(detail)}`}${failure?.hint !== undefined && html`: ${prose(failure.hint)}`}${concernedNote(row, now)}${todoNote(row, page)}</span
    ><span class="facts"><span class="doing">${doingText(row)}</span>${factsOf(row, now)}</span>
  </li>`;
}

function concernedNote({ concerned, since }: FleetRow, now: number): Html | undefined {
  if (concerned.length === 0 && since === undefined) return undefined;
  const more = concerned.length - mostNamed;
  const names = html`${concerned.slice(0, mostNamed).map((address, n) => html`${n === 0 ? '' : ', '}<code>${address}</code>`)}${more > 0 ? ` and ${more} more` : ''}`;
  const age = since === undefined ? undefined : html`for ${spanElement(since, now)}`;
  return html`<span class="concerned quiet"
    >${concerned.length > 0 && names}${concerned.length > 0 && age !== undefined ? ', ' : ''}${age}</span
  >`;
}

// Where it takes more words, the page of the stack has them.
const todoTexts: Partial<Readonly<Record<Cause, string>>> = {
  approval: 'review the changes and approve them',
  'invalid-manifests': 'correct the manifests',
  refused: 'correct the manifest or the account',
  protected: 'revert the change or remove the protection',
  manual: 'apply the manifests, or change them to match the account',
  unresolved: 'check whether the resource was created, and record the result',
  'drift-conflict': 'find the client that changes the resource',
};

function todoNote({ asked, cause }: FleetRow, page: string | undefined): Html | undefined {
  const question = asked.find((one) => one.cause === cause) ?? asked[0];
  if (page === undefined || question === undefined) return undefined;
  const todo = todoTexts[question.cause] ?? 'see the problem and how to correct it';
  return html`<span class="todo">To do: <a href="${page}#${question.section}">${todo}</a></span>`;
}

function doingText({ activity, status }: FleetRow): string {
  const now = activityText(activity);
  if (status?.awaited === undefined) return now;
  return `${now}. ${approvalEffectText(approvalObstacle(status))}`;
}

function factsOf({ status, drifted, lastRun }: FleetRow, now: number): Html {
  const [observed, applied] = [revisionText(status?.observed), revisionText(status?.applied)];
  const isSame = observed !== undefined && observed === applied;
  const facts = [
    isSame && html`revision observed and applied <code>${observed}</code>`,
    !isSame && observed !== undefined && html`observed <code>${observed}</code>`,
    !isSame && applied !== undefined && html`applied <code>${applied}</code>`,
    ...reasonCounts(status?.pending ?? []),
    drifted > 0 && html`${drifted} drifted`,
    lastRun && html`${lastRun.isDone ? 'last apply' : 'last apply failed'} ${timeElement(lastRun.at, now)}`,
  ].filter((fact) => fact !== undefined && fact !== false);
  return html`${facts.map((fact, n) => (n === 0 ? fact : html` · ${fact}`))}`;
}

/** What is not applied, by reason; what is left as drift counts as drifted. */
function reasonCounts(pending: readonly PendingChange[]): readonly Html[] {
  const isDrift = ({ reason, cause }: PendingChange): boolean =>
    reason === 'drift-conflict' || (reason === 'manual' && cause === 'drift');
  const held = pending.filter((one) => !isDrift(one));
  return countReasons(held).map(([reason, count]) => html`${count} ${pendingWords(reason, count)}`);
}

function revisionText(revision: NonNullable<FleetRow['status']>['revision']): string | undefined {
  return (revision?.commit ?? revision?.content)?.slice(0, 7);
}
