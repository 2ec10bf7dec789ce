import { approvalObstacle } from '../../../model/approval-obstacle.ts';
import { timeElement, spanElement } from '../../text/ages.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { activityText } from '../status-activity.ts';
import { icon } from '../page/status-icons.ts';
import { approvalEffectText } from '../status-words.ts';
import { stackUrl } from '../stack-url.ts';
import type { FleetRow } from './fleet-row.ts';
import { conditionWords } from './fleet-rows.ts';

// Of further ones there is the number.
const mostNamed = 2;

/** A stack of a fleet: what is the matter with which resources since when, what happens next, and which revisions it has. */
export function fleetPageRow(row: FleetRow, now: number): Html {
  const { path, status, condition, tone, headline, detail, failure, elsewhere } = row;
  const page = status === undefined ? elsewhere?.url && new URL(stackUrl(path), elsewhere.url).href : stackUrl(path);
  const name = status?.stack.name ?? path;
  return html`<li id="stack-${encodeURIComponent(path)}" class="resource stack t-${tone}">
    <span class="sync-status">${icon(tone)} ${conditionWords[condition]}</span>
    <span class="address"
      >${page === undefined ? html`<b>${name}</b>` : html`<a href="${page}">${name}</a>`}${
        name === path ? undefined : html` <code class="quiet">${path}</code>`
      }</span
    >
    <span class="note"
      >${headline}${detail === undefined ? undefined : html`. ${prose(detail)}`}${failure?.hint === undefined ? undefined : html`: ${prose(failure.hint)}`}${concernedNote(row, now)}</span
    ><span class="facts"><span class="doing">${doingText(row)}</span>${factsOf(row, now)}</span>
  </li>`;
}

/** Which resources, and since when. */
function concernedNote({ concerned, since }: FleetRow, now: number): Html | undefined {
  if (concerned.length === 0 && since === undefined) return undefined;
  const more = concerned.length - mostNamed;
  const names = html`${concerned.slice(0, mostNamed).map((address, n) => html`${n === 0 ? '' : ', '}<code>${address}</code>`)}${more > 0 ? ` and ${String(more)} more` : ''}`;
  const age = since === undefined ? undefined : html`for ${spanElement(since, now)}`;
  return html`<span class="concerned quiet"
    >${concerned.length === 0 ? undefined : names}${concerned.length > 0 && age !== undefined ? ', ' : ''}${age}</span
  >`;
}

/** What is done now, and when an approval would take effect. */
function doingText({ activity, status }: FleetRow): string {
  const now = activityText(activity);
  if (status?.awaited === undefined) return now;
  return `${now}. ${approvalEffectText(approvalObstacle(status))}`;
}

function factsOf({ status, pending, drifted, lastRun }: FleetRow, now: number): Html {
  const [observed, applied] = [revisionText(status?.observed), revisionText(status?.applied)];
  const facts = [
    observed === undefined ? undefined : html`<code title="revision compared with the account">${observed}</code>`,
    applied === undefined || applied === observed ? undefined : html`applied <code>${applied}</code>`,
    pending === 0 ? undefined : html`${pending} pending`,
    drifted === 0 ? undefined : html`${drifted} drifted`,
    lastRun === undefined
      ? undefined
      : html`${lastRun.isDone ? 'last apply' : 'last apply failed'} ${timeElement(lastRun.at, now)}`,
  ].filter((fact) => fact !== undefined);
  return html`${facts.map((fact, n) => (n === 0 ? fact : html` · ${fact}`))}`;
}

function revisionText(revision: NonNullable<FleetRow['status']>['revision']): string | undefined {
  return (revision?.commit ?? revision?.content)?.slice(0, 7);
}
