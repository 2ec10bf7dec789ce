import type { AccessSide } from '../../../model/exposure/access-comparison.ts';
import type { SyncStatus } from '../../../model/status/watch-status.ts';
import { audienceIcons } from '../../access/audience-icons.ts';
import { html, type Html } from '../../text/html.ts';
import { toneOf, type Cause, type Tone } from '../status-causes.ts';

type IconName = SyncStatus | Tone | AccessSide['audience'] | 'shield' | 'document' | 'refused' | 'key' | 'disk';

/* Drawn in a square of 16; each sync status has a shape of its own, so that colour is never the only sign. */
const shapes: Readonly<Record<IconName, Html>> = {
  ...audienceIcons,
  shield: html`<path d="M8 1.6l5.4 2v4.2c0 3.2-2.3 5.5-5.4 6.6-3.1-1.1-5.4-3.4-5.4-6.6V3.6zM5.6 7.8h4.8" />`,
  document: html`<path d="M3 1.8h6.5L13 5.2v9H3zM8 6.6v3.2M8 11.8v.2" />`,
  refused: html`<circle cx="8" cy="8" r="6.3" /><path d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8" />`,
  key: html`<circle cx="5" cy="8" r="3.2" /><path d="M8.2 8h6M12 8v2.6" />`,
  disk: html`<path d="M2.5 2.5h9l2 2v9h-11zM5 2.7v3.6h5.4V2.7M5 13.3V9.4h6v3.9" />`,
  outside: html`<path d="M5 1.8v3.4M11 1.8v3.4M3.2 5.2h9.6v2.6a4.8 4.8 0 0 1-9.6 0zM8 12.6v2" />`,
  failed: html`<path d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z" /><path d="M8 4.5v4.2M8 11.2v.3" />`,
  'drift-conflict': html`<path d="M2 5.2h10.5M9.6 2.2l3 3-3 3M14 10.8H3.5M6.4 7.8l-3 3 3 3" />`,
  blocked: html`<circle cx="8" cy="8" r="6.3" /><path d="M3.6 3.6l8.8 8.8" />`,
  'requires-approval': html`<path d="M3 2.5h7l3 3v8H3zM5.4 9.4l1.9 1.9 3.4-3.8" />`,
  'requires-manual-apply': html`<path d="M1.8 2.8h12.4v10.4H1.8zM4.4 6l2.2 2-2.2 2M8.4 10.4h3.2" />`,
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
  asks: html`<circle cx="8" cy="5" r="2.8" /><path d="M2.6 14.2c.5-3.2 2.6-5 5.4-5s4.9 1.8 5.4 5" />`,
  bad: html`<path d="M5 1.5h6L14.5 5v6L11 14.5H5L1.5 11V5z" /><path d="M8 4.5v4.2M8 11.2v.3" />`,
  quiet: html`<circle cx="8" cy="8" r="6.3" /><path d="M6.2 5.4v5.2M9.8 5.4v5.2" />`,
};

/** All icons of the page, once; the page refers to them. */
export function iconSprite(): Html {
  return html`<svg class="sprite" aria-hidden="true">
    ${Object.entries(shapes).map(([name, shape]) => html`<symbol id="i-${name}" viewBox="0 0 16 16">${shape}</symbol>`)}
  </svg>`;
}

const ofCauses: Partial<Record<Cause, IconName>> = {
  'rule-broken': 'public',
  exposed: 'public',
  approval: 'requires-approval',
  protected: 'shield',
  'operator-policy': 'shield',
  'contains-unmanaged': 'shield',
  manual: 'requires-manual-apply',
  unresolved: 'unknown',
  refused: 'refused',
  'drift-conflict': 'drift-conflict',
  'invalid-manifests': 'document',
  'manifests-unreadable': 'document',
  'access-denied': 'key',
  'state-unusable': 'disk',
};

/** The icon for what a person has to do about a cause. */
export function causeIcon(cause: Cause): IconName {
  return ofCauses[cause] ?? toneOf(cause);
}

/** An icon before words with the same meaning, in its own colour or that of another. */
export function icon(name: IconName, colour: IconName = name): Html {
  return html`<svg class="icon s-${colour}" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-${name}" /></svg>`;
}
