import { groupBy } from '../../../model/group-by.ts';
import { atOnce } from '../../../model/sliced.ts';
import { splitAddress } from '../../../model/address.ts';
import {
  syncStatuses,
  type PendingChange,
  type ResourceStatus,
  type WatchStatus,
} from '../../../model/status/watch-status.ts';
import { html, prose, timeElement, type Html } from '../../text/html.ts';
import { filterForm, pager } from './list-filter.ts';
import { detailsOf } from './status-folds.ts';
import { anchorOf, statusGraph } from '../graph/status-graph.ts';
import { icon } from './status-icons.ts';
import { isFiltered, selectResources, type ListPage, type ListQuery } from '../status-query.ts';
import { countSyncStatuses, syncStatusWords } from '../status-words.ts';

// Of a larger stack, only what is not in sync is listed at first.
const smallStack = 100;
const perPage = 30;

/** The graph, in a section of its own. */
export function graphSection({ resources }: WatchStatus): Html | undefined {
  const graph = atOnce(statusGraph(resources));
  return (
    graph &&
    html`<section id="graph">
      <h2>Dependencies</h2>
      ${graph}
    </section>`
  );
}

/** The resources that a query asks for, the most urgent first, with a form to ask for others. */
export function resourcesSection({ resources, pending, now }: WatchStatus, query: ListQuery): Html | undefined {
  if (resources.length === 0) return undefined;
  const hidesInSync = !isFiltered(query) && resources.length > smallStack;
  const isListed = ({ syncStatus }: ResourceStatus): boolean => !hidesInSync || syncStatus !== 'in-sync';
  const selected = selectResources(resources, query, hidesInSync || isFiltered(query) ? perPage : smallStack, isListed);
  const hidden = hidesInSync ? resources.length - selected.total : 0;
  const shown = new Set(selected.shown.map(({ address }) => address));
  const changes = new Map(pending.flatMap((one) => (shown.has(one.address) ? [[one.address, one]] : [])));
  return html`<section id="resources">
    <h2>Resources</h2>
    ${resourceFilter(resources, query)}
    <p class="caption" role="status" aria-live="polite">
      ${rangeText(selected)}${
        hidden > 0 && html`, ${hidden} in sync not listed: <a href="./?status=in-sync#resources">show them</a>`
      }
    </p>
    <ul class="resources">
      ${selected.shown.map((one, index) => resourceItem(one, now, reasonAt(selected.shown, index), changes.get(one.address)))}
    </ul>
    ${pager('resources', selected, query)}
  </section>`;
}

function resourceFilter(resources: readonly ResourceStatus[], query: ListQuery): Html {
  const counts = new Map(countSyncStatuses({ resources }));
  const kinds = [...groupBy(resources, (one) => one.kind)].sort(([a], [b]) => (a < b ? -1 : 1));
  const statuses = syncStatuses.filter((one) => counts.has(one) || one === query.filters['status']);
  return filterForm('resources', query, [
    {
      label: 'Status',
      name: 'status',
      options: statuses.map((one) => [one, `${syncStatusWords[one]} (${counts.get(one) ?? 0})`]),
    },
    {
      label: 'Kind',
      name: 'kind',
      options: kinds.map(([name, own]) => [name, `${name} (${own.length})`]),
    },
  ]);
}

function rangeText({ shown, before, total }: ListPage<ResourceStatus>): string {
  if (shown.length === 0) return 'No resources match';
  return shown.length === total
    ? `Showing all ${total}`
    : `Showing ${before + 1} to ${before + shown.length} of ${total}`;
}

/** The reason of a resource. If several in a row have the same reason, it is shown once, at the first of them: it may be long and the same for hundreds of deletions. */
function reasonAt(shown: readonly ResourceStatus[], at: number): Html | undefined {
  const note = shown[at]?.note;
  if (note === undefined || shown[at - 1]?.note === note) return undefined;
  const end = shown.findIndex((one, index) => index > at && one.note !== note);
  const more = (end === -1 ? shown.length : end) - at - 1;
  return html`${prose(note)}${more > 0 && html` <span class="quiet">(also the next ${more})</span>`}`;
}

function resourceItem(
  { address, kind, syncStatus, source, expiresAt }: ResourceStatus,
  now: number,
  reason: Html | undefined,
  change: PendingChange | undefined,
): Html {
  // What concerns the stack as a whole, or is the reason itself, is shown already.
  const hazards = (change?.hazards ?? []).filter(
    (one) => one.isOfStack !== true && `${one.code}: ${one.message}` !== change?.message,
  );
  const hasFacts = source !== undefined || expiresAt !== undefined;
  return html`<li id="${anchorOf(address)}" class="resource s-${syncStatus}">
    <span class="sync-status">${icon(syncStatus)} ${syncStatusWords[syncStatus]}</span>
    <a class="address" href="${detailsOf(address)}"
      ><code><span class="quiet">${kind}/</span>${splitAddress(address).name}</code></a
    >${
      (reason !== undefined || hazards.length > 0) &&
      html` <span class="note${hasFacts ? '' : ' wide'}"
        >${reason}${hazards.map(
          ({ code, message }) => html` <span class="hazard"><b>${code}</b>: ${prose(message)}</span>`,
        )}</span
      >`
    }<span class="facts"
      >${source !== undefined && html` <code class="place">${source}</code>`}${
        expiresAt !== undefined && html` <span class="quiet once">expires ${timeElement(expiresAt, now)}</span>`
      }</span
    >
  </li>`;
}
