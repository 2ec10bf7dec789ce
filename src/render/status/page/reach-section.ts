import { counted } from '../../../diagnostics/counted.ts';
import type { Address } from '../../../model/address.ts';
import type { AccessSide } from '../../../model/exposure/access-comparison.ts';
import type { ServedAddress } from '../../../model/exposure/exposed-urls.ts';
import { groupBy } from '../../../model/group-by.ts';
import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { exposureGroups, type ExposureGroup } from '../../access/exposure-groups.ts';
import { html, timeElement, type Html } from '../../text/html.ts';
import { furtherItems, mostItems, resourceLink } from './status-folds.ts';
import { anchorOf } from '../graph/status-graph.ts';
import { icon } from './status-icons.ts';

// URLs of all groups together, public ones first.
const mostUrls = 20;

/** Who can reach which URLs; undefined before the first refresh. */
export function reachSection(status: WatchStatus, most: number = mostUrls): Html | undefined {
  const { exposure, resources, role, failures, lastRefresh, now } = status;
  const isOld = role === 'paused' || failures.some(({ scope }) => scope === 'account');
  if (exposure === undefined) return undefined;
  const groups = exposureGroups(exposure);
  const { addresses = [] } = exposure;
  const managed = new Set(resources.map(({ address }) => address));
  let left = most;
  return html`<section id="reach">
    <h2>Who can reach what now</h2>
    ${
      lastRefresh !== undefined &&
      isOld &&
      html`<p class="quiet">As of the last refresh, ${timeElement(lastRefresh, now)}.</p>`
    }
    ${groups.length + addresses.length === 0 && html`<p>Nothing can be reached.</p>`}
    ${groups.slice(0, most === mostUrls ? mostItems.atFirst : mostItems.inFull).map((group) => {
      const shown = group.urls.slice(0, left);
      left -= shown.length;
      return groupItem(group, shown, managed);
    })}
    ${[...groupBy(addresses, ({ who }) => who)].map(([who, own]) => addressGroup(who, own.slice(0, most), own.length))}
    ${furtherItems(Math.max(groups.flatMap(({ urls }) => urls).length, addresses.length), most, 'reach')}
  </section>`;
}

/** Addresses that clients use beside the URLs of edges. */
function addressGroup(who: string, shown: readonly ServedAddress[], count: number): Html {
  const items = shown.map(({ at, resource }) => {
    const assigned = html`<span class="quiet">assigned, known at the next refresh</span>`;
    return placeItem(at === undefined ? assigned : html`<code class="url">${at}</code>`, resourceLink(resource));
  });
  return audienceGroup({ audience: 'outside', who }, counted(count, 'address', 'addresses'), items, count);
}

function groupItem(group: ExposureGroup, shown: ExposureGroup['urls'], managed: ReadonlySet<Address>): Html {
  const items = shown.map(({ url, route }) =>
    placeItem(
      html`<code class="url">${url}</code>`,
      managed.has(route) ? resourceLink(route) : html`<code>${route}</code>`,
    ),
  );
  return audienceGroup(group, counted(group.urls.length, 'URL'), items, group.urls.length);
}

function placeItem(place: Html, resource: Html): Html {
  return html`<li>${place} <span class="facts">${resource}</span></li>`;
}

function audienceGroup({ audience, who }: AccessSide, size: string, items: readonly Html[], count: number): Html {
  return html`<details
    id="x-${anchorOf(`${audience} ${who}`)}"
    class="audience ${audience}"
    ${items.length > 0 && html`open`}
  >
    <summary>
      <h3>${icon(audience)} ${who}</h3>
      <span class="counts">${size}</span>
    </summary>
    <ul class="urls">
      ${items}
    </ul>
    ${count !== items.length && html`<p class="quiet">${count - items.length} more</p>`}
  </details>`;
}
