import { createHash } from 'node:crypto';
import { splitAddress } from '../../model/address.ts';
import { inNaturalOrder } from '../../model/natural-order.ts';
import type { ResourceStatus, WatchStatus } from '../../model/watch-status.ts';
import { timeElement } from '../text/ages.ts';
import { html, prose, type Html } from '../text/html.ts';
import { anchorOf, statusGraph } from './status-graph.ts';
import { icon } from './status-icons.ts';
import { countSyncStatuses, syncStatusWords } from './status-words.ts';
import { syncStatuses } from '../../model/watch-status.ts';

// A longer list of resources in sync is folded.
const shortList = 12;

/** The graph, in a section of its own. */
export function graphSection({ resources }: WatchStatus): Html | undefined {
  const graph = statusGraph(resources);
  return graph === undefined
    ? undefined
    : html`<section id="graph">
        <h2>Dependencies</h2>
        ${graph}
      </section>`;
}

/** Every resource, by kind; within a kind the most urgent first. */
export function resourcesSection({ resources, now }: WatchStatus): Html | undefined {
  if (resources.length === 0) return undefined;
  const kinds = [...new Set(resources.map(({ kind }) => kind))].sort();
  return html`<section id="resources">
    <h2>Resources</h2>
    ${kinds.map((kind) =>
      kindList(
        kind,
        resources.filter((one) => one.kind === kind),
        now,
      ),
    )}
  </section>`;
}

function kindList(kind: string, resources: readonly ResourceStatus[], now: number): Html {
  const counts = countSyncStatuses({ resources });
  const sorted = [...resources].sort(
    (a, b) =>
      syncStatuses.indexOf(a.syncStatus) - syncStatuses.indexOf(b.syncStatus) || inNaturalOrder(a.address, b.address),
  );
  const open = sorted.filter(({ syncStatus }) => syncStatus !== 'in-sync');
  const calm = sorted.filter(({ syncStatus }) => syncStatus === 'in-sync');
  return html`<details
    id="k-${digestOf(kind)}"
    class="kind"
    ${open.length > 0 || calm.length <= shortList ? html`open` : undefined}
  >
    <summary>
      <h3>${kind}</h3>
      <span class="counts"
        >${counts.map(
          ([syncStatus, count]) =>
            html`<span class="count">${icon(syncStatus)} ${count} ${syncStatusWords[syncStatus]}</span> `,
        )}</span
      >
    </summary>
    ${resourceList(open, now)}${
      calm.length > shortList
        ? html`<details id="c-${digestOf(kind)}" class="calm">
            <summary>${calm.length} in sync</summary>
            ${resourceList(calm, now)}
          </details>`
        : resourceList(calm, now)
    }
  </details>`;
}

function resourceList(resources: readonly ResourceStatus[], now: number): Html | undefined {
  if (resources.length === 0) return undefined;
  return html`<ul class="resources">
    ${resources.map((one) => resourceItem(one, now))}
  </ul>`;
}

function resourceItem({ address, syncStatus, note, source, expiresAt }: ResourceStatus, now: number): Html {
  return html`<li id="${anchorOf(address)}" class="resource s-${syncStatus}">
    <span class="sync-status">${icon(syncStatus)} ${syncStatusWords[syncStatus]}</span>
    <code class="address">${splitAddress(address).name}</code>${
      note === undefined ? undefined : html` <span class="note">${prose(note)}</span>`
    }<span class="facts"
      >${source === undefined ? undefined : html` <code class="place">${source}</code>`}${
        expiresAt === undefined ? undefined : html` <span class="quiet">expires ${timeElement(expiresAt, now)}</span>`
      }</span
    >
  </li>`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
