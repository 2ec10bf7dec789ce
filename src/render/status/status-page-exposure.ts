import { counted } from '../../diagnostics/counted.ts';
import type { Address } from '../../model/address.ts';
import type { WatchStatus } from '../../model/watch-status.ts';
import { exposureGroups, type ExposureGroup } from '../access/exposure-groups.ts';
import { html, type Html } from '../text/html.ts';
import { anchorOf } from './status-graph.ts';
import { icon } from './status-icons.ts';

// URLs that the page lists for one group.
const mostUrls = 100;

/** Who can reach which URLs; undefined before the first refresh. */
export function reachSection({ exposure, resources }: WatchStatus): Html | undefined {
  if (exposure === undefined) return undefined;
  const groups = exposureGroups(exposure);
  const managed = new Set(resources.map(({ address }) => address));
  return html`<section id="reach">
    <h2>Who can reach what</h2>
    ${groups.length === 0 ? html`<p>Nothing can be reached.</p>` : groups.map((group) => groupItem(group, managed))}
  </section>`;
}

function groupItem({ who, audience, urls }: ExposureGroup, managed: ReadonlySet<Address>): Html {
  const shown = urls.slice(0, mostUrls);
  const label = (route: Address): Html => html`<code>${route}</code>`;
  return html`<details id="x-${anchorOf(`${audience} ${who}`)}" class="audience ${audience}" open>
    <summary>
      <h3>${icon(audience)} ${who}</h3>
      <span class="counts">${counted(urls.length, 'URL')}</span>
    </summary>
    <ul class="urls">
      ${shown.map(
        ({ url, route }) =>
          html`<li>
            <code class="url">${url}</code>
            <span class="facts"
              >${managed.has(route) ? html`<a href="#${anchorOf(route)}">${label(route)}</a>` : label(route)}</span
            >
          </li>`,
      )}
    </ul>
    ${
      urls.length === shown.length
        ? undefined
        : html`<p class="quiet">${urls.length - shown.length} more: <code class="command">sluice exposure</code></p>`
    }
  </details>`;
}
