import { html, type Html } from '../../text/html.ts';
import { causeWords } from '../status-causes.ts';
import { filterForm, pager } from '../page/list-filter.ts';
import { icon } from '../page/status-icons.ts';
import { isFiltered, pageOf, type ListQuery } from '../status-query.ts';
import { fleetPageRow } from './fleet-page-row.ts';
import { conditionFacts, fleetConditions, type FleetRow } from './fleet-row.ts';
import { countConditions, fleetGroups, groupText, selectRows, type FleetGroup } from './fleet-rows.ts';

// A page of them, with everything around it, has less than 2,000 elements.
const perPage = 100;
const perGroup = 3;

/** The stacks that a query asks for; without one, by cause. */
export function fleetPageStacks(rows: readonly FleetRow[], query: ListQuery, now: number): Html {
  if (!isFiltered(query))
    return html`<section id="stacks">
      <h2>Stacks</h2>
      ${stackFilter(rows, query)} ${fleetGroups(rows).map((group) => groupItem(group, now))}
    </section>`;
  const { shown, before, total, ...at } = pageOf(selectRows(rows, query), query.page, perPage);
  return html`<section id="stacks">
    <h2>Stacks</h2>
    ${stackFilter(rows, query)}
    <p class="caption" role="status" aria-live="polite">
      ${shown.length === 0 ? 'No stacks match' : `Showing ${before + 1} to ${before + shown.length} of ${total}`}
    </p>
    <ul class="resources">
      ${shown.map((row) => fleetPageRow(row, now))}
    </ul>
    ${pager('stacks', at, query)}
  </section>`;
}

/** The stacks of one cause: the first of them, and a link to all. What needs nobody is folded. */
function groupItem({ cause, tone, rows }: FleetGroup, now: number): Html {
  // A link in place of a single stack would save nothing.
  const shown = rows.length <= perGroup + 1 ? rows : rows.slice(0, perGroup);
  return html`<details id="g-${cause}" class="group" ${tone !== 'quiet' && tone !== 'well' && html`open`}>
    <summary><h3>${icon(tone)} ${groupText(rows.length, cause)}</h3></summary>
    <ul class="resources">
      ${shown.map((row) => fleetPageRow(row, now))}
    </ul>
    ${shown.length !== rows.length && html`<p class="more"><a href="./?cause=${cause}#stacks">Show all ${rows.length}</a></p>`}
  </details>`;
}

function stackFilter(rows: readonly FleetRow[], query: ListQuery): Html {
  const counts = new Map(countConditions(rows));
  return filterForm('stacks', query, [
    {
      label: 'Condition',
      name: 'condition',
      options: fleetConditions.map((one) => [one, `${conditionFacts[one].label} (${counts.get(one) ?? 0})`]),
    },
    {
      label: 'Cause',
      name: 'cause',
      options: fleetGroups(rows).map((one) => [one.cause, `${causeWords(one.cause)} (${one.rows.length})`]),
    },
  ]);
}
