import { html, type Html } from '../../text/html.ts';
import { causeWords } from '../status-causes.ts';
import { icon } from '../page/status-icons.ts';
import { fleetPageRow } from './fleet-page-row.ts';
import { isFleetFiltered, selectRows, type FleetQuery } from './fleet-query.ts';
import { fleetConditions, type FleetRow } from './fleet-row.ts';
import { conditionWords, countConditions, fleetGroups, groupText, type FleetGroup } from './fleet-rows.ts';

// A page of them, with everything around it, has less than 2,000 elements.
const perPage = 100;
const perGroup = 3;

/** The stacks that a query asks for; without one, by cause. */
export function fleetPageStacks(rows: readonly FleetRow[], query: FleetQuery, now: number): Html {
  if (!isFleetFiltered(query))
    return html`<section id="stacks">
      <h2>Stacks</h2>
      ${filterForm(rows, query)} ${fleetGroups(rows).map((group) => groupItem(group, now))}
    </section>`;
  const selected = selectRows(rows, query);
  const pages = Math.max(1, Math.ceil(selected.length / perPage));
  const page = Math.min(query.page, pages);
  const before = (page - 1) * perPage;
  const shown = selected.slice(before, before + perPage);
  return html`<section id="stacks">
    <h2>Stacks</h2>
    ${filterForm(rows, query)}
    <p class="caption" role="status" aria-live="polite">
      ${shown.length === 0 ? 'No stacks match' : `Showing ${String(before + 1)} to ${String(before + shown.length)} of ${String(selected.length)}`}
    </p>
    <ul class="resources">
      ${shown.map((row) => fleetPageRow(row, now))}
    </ul>
    ${pages === 1 ? undefined : pager(query, page, pages)}
  </section>`;
}

/** The stacks of one cause: the first of them, and a link to all. What needs nobody is folded. */
function groupItem({ cause, tone, rows }: FleetGroup, now: number): Html {
  // A link in place of a single stack would save nothing.
  const shown = rows.length <= perGroup + 1 ? rows : rows.slice(0, perGroup);
  return html`<details id="g-${cause}" class="group" ${tone === 'quiet' || tone === 'well' ? undefined : html`open`}>
    <summary><h3>${icon(tone)} ${groupText(rows.length, cause)}</h3></summary>
    <ul class="resources">
      ${shown.map((row) => fleetPageRow(row, now))}
    </ul>
    ${shown.length === rows.length ? undefined : html`<p class="more"><a href="./?cause=${cause}#stacks">Show all ${rows.length}</a></p>`}
  </details>`;
}

function filterForm(rows: readonly FleetRow[], query: FleetQuery): Html {
  const { text, condition, cause } = query;
  const counts = new Map(countConditions(rows));
  const option = (value: string, label: string, chosen: string | undefined): Html =>
    html`<option value="${value}" ${value === (chosen ?? '') ? html`selected` : undefined}>${label}</option>`;
  return html`<form id="filter" method="get" action="./" role="search" aria-label="Filter stacks">
    <label>Search <input type="search" name="q" value="${text}" maxlength="200" autocomplete="off" /></label>
    <label
      >Condition
      <select name="condition">
        ${option('', 'any', condition)}
        ${fleetConditions.map((one) => option(one, `${conditionWords[one]} (${String(counts.get(one) ?? 0)})`, condition))}
      </select></label
    >
    <label
      >Cause
      <select name="cause">
        ${option('', 'any', cause)}
        ${fleetGroups(rows).map((one) => option(one.cause, `${causeWords[one.cause]} (${String(one.rows.length)})`, cause))}
      </select></label
    >
    <button type="submit">Filter</button>
    ${isFleetFiltered(query) ? html`<a href="./#stacks">Clear</a>` : undefined}
  </form>`;
}

function pager({ text, condition, cause }: FleetQuery, page: number, pages: number): Html {
  const link = (to: number, label: string): Html | undefined => {
    if (to < 1 || to > pages) return undefined;
    const facts = { q: text, condition: condition ?? '', cause: cause ?? '', page: to === 1 ? '' : String(to) };
    const search = new URLSearchParams(Object.entries(facts).filter(([, value]) => value !== '')).toString();
    return html`<a href="./?${search}#stacks">${label}</a>`;
  };
  return html`<nav class="pager" aria-label="Pages of stacks">
    ${link(page - 1, 'Previous')} <span>Page ${page} of ${pages}</span> ${link(page + 1, 'Next')}
  </nav>`;
}
