import type { Audience } from '../../../model/exposure/exposed-urls.ts';
import type { SyncStatus } from '../../../model/watch-status.ts';
import { audienceIcons } from '../../access/audience-icons.ts';
import { html, type Html } from '../../text/html.ts';
import type { Tone } from '../status-causes.ts';

type IconName = SyncStatus | Tone | Audience;

/* Drawn in a square of 16; each sync status has a shape of its own, so that colour is never the only sign. */
const shapes: Readonly<Record<IconName, Html>> = {
  ...audienceIcons,
  failed: html`<path d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z" /><path d="M8 4.5v4.2M8 11.2v.3" />`,
  'drift-conflict': html`<path d="M2 5.2h10.5M9.6 2.2l3 3-3 3M14 10.8H3.5M6.4 7.8l-3 3 3 3" />`,
  blocked: html`<circle cx="8" cy="8" r="6.3" /><path d="M3.6 3.6l8.8 8.8" />`,
  'requires-approval': html`<circle cx="8" cy="8" r="6.3" /><path d="M6.2 5.4v5.2M9.8 5.4v5.2" />`,
  'requires-manual-apply': html`<path d="M2.5 2.5h11v11h-11z" /><path d="M6.2 5.6v4.8M9.8 5.6v4.8" />`,
  drifted: html`<path d="M2.5 6h11M2.5 10h11M10.6 2.5l-5.2 11" />`,
  applying: html`<path d="M8 1.7a6.3 6.3 0 1 1-6.1 4.7" /><path d="M1.2 2.8l.7 3.7 3.6-1" />`,
  'out-of-sync': html`<path d="M8 2.2 14.3 13.5H1.7z" />`,
  waiting: html`<circle cx="8" cy="8" r="6.3" /><path d="M8 4.4V8l2.6 1.8" />`,
  unknown: html`<path d="M5.6 5.8a2.4 2.4 0 1 1 3.6 2.1c-.8.5-1.2.9-1.2 1.9M8 12.4v.3" /><circle
      cx="8"
      cy="8"
      r="6.6"
    />`,
  'in-sync': html`<path d="M2.6 8.6l3.5 3.5 7.3-8" />`,
  well: html`<path d="M2.6 8.6l3.5 3.5 7.3-8" />`,
  busy: html`<path d="M8 1.7a6.3 6.3 0 1 1-6.1 4.7" /><path d="M1.2 2.8l.7 3.7 3.6-1" />`,
  asks: html`<circle cx="8" cy="8" r="6.3" /><path d="M6.2 5.4v5.2M9.8 5.4v5.2" />`,
  bad: html`<path d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z" /><path d="M8 4.5v4.2M8 11.2v.3" />`,
  quiet: html`<circle cx="8" cy="8" r="6.3" /><path d="M4.9 8h6.2" />`,
};

/** All icons of the page, once; the page refers to them. */
export function iconSprite(): Html {
  return html`<svg class="sprite" aria-hidden="true">
    ${Object.entries(shapes).map(([name, shape]) => html`<symbol id="i-${name}" viewBox="0 0 16 16">${shape}</symbol>`)}
  </svg>`;
}

/** An icon before words that say the same. */
export function icon(name: IconName): Html {
  return html`<svg class="icon s-${name}" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-${name}" /></svg>`;
}
