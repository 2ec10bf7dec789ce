import { counted } from '../../../diagnostics/counted.ts';
import type { Address } from '../../../model/address.ts';
import { html, lines, type Html } from '../../text/html.ts';
import { shortHash } from '../../values/value-text.ts';
import type { StatusSection } from './status-details.ts';

// Longer texts are not on the page: they are loaded when they are unfolded.
const shortText = 2_000;

/** The most items of a section: on the status page, and on the page of the section. */
export const mostItems = { atFirst: 6, inFull: 1_000 } as const;

/** Where the details of a resource are. */
export function detailsOf(address: Address): string {
  return `details?${new URLSearchParams({ resource: address }).toString()}`;
}

/** A link to a resource in the list, whatever the list shows. */
export function resourceLink(address: Address): Html {
  return html`<a href="${detailsOf(address)}"><code>${address}</code></a>`;
}

/** How many items a section has beyond those that are shown, and where they are. */
export function furtherItems(count: number, most: number, section: StatusSection): Html | undefined {
  if (count <= most) return undefined;
  const further = `${count - most} more`;
  return most < mostItems.inFull
    ? html`<p class="more"><a href="details?section=${section}">${further}: show all</a></p>`
    : html`<p class="more">${further}, in <a href="status.json">status.json</a></p>`;
}

/** Something that is loaded when it is unfolded; without scripts, a link leads there. */
export function loadedFold(id: string, summary: Html, href: string): Html {
  return html`<details id="${id}" data-part="${href}">
    <summary>${summary}</summary>
    <p class="load"><a href="${href}">Show</a></p>
  </details>`;
}

/** A folded text: on the page where it is short, else loaded from its own page when it is unfolded. */
export function textFold(id: string, title: string, text: string, href: string): Html {
  const count = counted(text.trimEnd().split('\n').length, 'line');
  const summary = html`${title}: ${count}`;
  if (text.length > shortText) return loadedFold(id, summary, `${href}&version=${shortHash(text)}#part`);
  return html`<details id="${id}">
    <summary>${summary}</summary>
    <pre class="plan" tabindex="0">${lines(text.trimEnd())}</pre>
  </details>`;
}

/** An entry of a list of facts. */
export function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
