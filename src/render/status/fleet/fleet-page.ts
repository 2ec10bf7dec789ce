import { counted } from '../../../diagnostics/counted.ts';
import type { FleetStatus } from '../../../model/status/fleet-status.ts';
import { html } from '../../text/html.ts';
import { pageDocument, type StatusPage } from '../page/status-document.ts';
import { icon } from '../page/status-icons.ts';
import type { Tone } from '../status-causes.ts';
import { fleetPageStacks } from './fleet-page-stacks.ts';
import { conditionFacts, type FleetRow } from './fleet-row.ts';
import { countConditions, fleetHeadline, fleetQuery, fleetRows } from './fleet-rows.ts';

/** The page of a fleet: one row for each stack, the worst first. */
export function fleetPage(fleet: FleetStatus, search = ''): StatusPage {
  const rows = fleetRows(fleet);
  const query = fleetQuery(search);
  const tone = worstTone(rows);
  const { headline, detail } = fleetHeadline(rows);
  return pageDocument(
    {
      ...fleet,
      title: headline,
      name: 'fleet',
      tone,
      pollMs: 3000,
      header: html`<header>
        <p class="brand"><span class="name">sluice</span> <strong>fleet</strong></p>
      </header>`,
      about: html`, ${counted(rows.length, 'stack')}`,
    },
    html`<main>
      <section id="verdict" class="verdict tone-${tone}">
        <div role="status" aria-live="polite">
          <h1>${icon(tone)} <span>${headline}</span></h1>
          ${detail !== undefined && html`<p class="detail">${detail}</p>`}
          ${fleet.searchFailure !== undefined && html`<p class="detail">The directory cannot be searched for stacks: ${fleet.searchFailure}</p>`}
        </div>
        <ul class="legend">
          ${countConditions(rows).map(
            ([condition, count]) =>
              html`<li>
                <a href="./?condition=${condition}#stacks"
                  >${icon(conditionFacts[condition].tone)} <b>${count}</b> ${conditionFacts[condition].label}</a
                >
              </li>`,
          )}
        </ul>
      </section>
      ${rows.length > 0 && fleetPageStacks(rows, query, fleet.now)}
    </main>`,
  );
}

function worstTone(rows: readonly FleetRow[]): Tone {
  return (
    (['bad', 'asks', 'busy', 'quiet', 'well'] as const).find((tone) => rows.some((row) => row.tone === tone)) ?? 'quiet'
  );
}
