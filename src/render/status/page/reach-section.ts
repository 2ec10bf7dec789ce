import { counted } from '../../../diagnostics/counted.ts';
import type { Address } from '../../../model/address.ts';
import type { ServedAddress } from '../../../model/exposure/exposed-urls.ts';
import { groupBy } from '../../../model/group-by.ts';
import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { exposureGroups, type ExposureGroup } from '../../access/exposure-groups.ts';
import { timeElement } from '../../text/ages.ts';
import { html, type Html } from '../../text/html.ts';
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
      lastRefresh !== undefined && isOld
        ? html`<p class="quiet">As of the last refresh, ${timeElement(lastRefresh, now)}.</p>`
        : undefined
    }
    ${groups.length + addresses.length === 0 ? html`<p>Nothing can be reached.</p>` : undefined}
    ${groups.slice(0, most === mostUrls ? mostItems.atFirst : mostItems.inFull).map((group) => {
      const shown = group.urls.slice(0, left);
      left -= shown.length;
      return groupItem(group, shown, managed);
    })}
    ${[...groupBy(addresses, ({ who }) => who)].map(([who, own]) => addressGroup(who, own.slice(0, most), own.length))}
    ${furtherItems(
      Math.max(
        groups.reduce((sum, { urls }) => sum + urls.length, 0),
        addresses.length,
      ),
      most,
      'reach',
    )}
  </section>`;
}

/** Addresses that clients use beside the URLs of edges. */
function addressGroup(who: string, shown: readonly ServedAddress[], count: number): Html {
  return html`<details id="x-address-${anchorOf(who)}" class="audience" open>
    <summary>
      <h3>${icon('outside')} ${who}</h3>
      <span class="counts">${counted(count, 'address', 'addresses')}</span>
    </summary>
    <ul class="urls">
      ${shown.map(
        ({ at, resource }) =>
          html`<li>
            ${at === undefined ? html`<span class="quiet">assigned, known at the next refresh</span>` : html`<code class="url">${at}</code>`}
            <span class="facts">${resourceLink(resource)}</span>
          </li>`,
      )}
    </ul>
    ${count === shown.length ? undefined : html`<p class="quiet">${count - shown.length} more</p>`}
  </details>`;
}

function groupItem(
  { who, audience, urls }: ExposureGroup,
  shown: ExposureGroup['urls'],
  managed: ReadonlySet<Address>,
): Html {
  return html`<details
    id="x-${anchorOf(`${audience} ${who}`)}"
    class="audience ${audience}"
    ${shown.length > 0 ? html`open` : undefined}
  >
    <summary>
      <h3>${icon(audience)} ${who}</h3>
      <span class="counts">${counted(urls.length, 'URL')}</span>
    </summary>
    <ul class="urls">
      ${shown.map(
        ({ url, route }) =>
          html`<li>
            <code class="url">${url}</code>
            <span class="facts">${managed.has(route) ? resourceLink(route) : html`<code>${route}</code>`}</span>
          </li>`,
      )}
    </ul>
    ${urls.length === shown.length ? undefined : html`<p class="quiet">${urls.length - shown.length} more</p>`}
  </details>`;
}
