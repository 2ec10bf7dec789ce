import { counted } from '../../../diagnostics/counted.ts';
import type { FleetStatus } from '../../../model/fleet-status.ts';
import { timeElement } from '../../text/ages.ts';
import { html, prose, type Html } from '../../text/html.ts';
import {
  countConditions,
  fleetConditions,
  fleetGroups,
  fleetQuery,
  fleetRows,
  groupText,
  isFleetFiltered,
  selectRows,
  type FleetCondition,
  type FleetGroup,
  type FleetQuery,
  type FleetRow,
} from './fleet-rows.ts';
import { stackUrl } from '../stack-url.ts';
import { pageDocument, type StatusPage } from '../status-document.ts';
import { activityText } from '../status-activity.ts';
import { icon } from '../status-icons.ts';
import { causeWords, type Tone } from '../status-causes.ts';

// A page of them, with everything around it, has less than 2,000 elements.
const perPage = 100;
const perGroup = 3;

const words: Readonly<Record<FleetCondition, string>> = {
  failed: 'failed',
  'action-required': 'action required',
  progressing: 'progressing',
  paused: 'paused',
  standby: 'standby',
  'in-sync': 'in sync',
};

const tones: Readonly<Record<FleetCondition, Tone>> = {
  failed: 'bad',
  'action-required': 'asks',
  progressing: 'busy',
  paused: 'quiet',
  standby: 'quiet',
  'in-sync': 'well',
};

/** The page of a fleet: one row for each stack, the worst first. */
export function fleetPage(fleet: FleetStatus, search = ''): StatusPage {
  const rows = fleetRows(fleet);
  const query = fleetQuery(search);
  const [worst] = countConditions(rows);
  const tone = worst === undefined ? 'quiet' : tones[worst[0]];
  const headline = headlineOf(rows);
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
          ${fleet.searchFailure === undefined ? undefined : html`<p class="detail">The directory cannot be searched for stacks: ${fleet.searchFailure}</p>`}
        </div>
        <ul class="legend">
          ${countConditions(rows).map(
            ([condition, count]) =>
              html`<li>
                <a href="./?condition=${condition}#stacks"
                  >${icon(tones[condition])} <b>${count}</b> ${words[condition]}</a
                >
              </li>`,
          )}
        </ul>
      </section>
      ${rows.length === 0 ? undefined : stacksSection(rows, query, fleet.now)}
    </main>`,
  );
}

function headlineOf(rows: readonly FleetRow[]): string {
  const counts = countConditions(rows);
  const [worst, next] = counts;
  if (worst === undefined) return 'No stacks';
  const [condition, count] = worst;
  if (condition === 'in-sync') return count === 1 ? 'In sync' : `All ${String(count)} stacks in sync`;
  const others =
    condition === 'failed' && next?.[0] === 'action-required'
      ? `, ${counted(next[1], 'requires', 'require')} action`
      : '';
  return `${counted(count, 'stack')} ${words[condition]}${others}`;
}

function stacksSection(rows: readonly FleetRow[], query: FleetQuery, now: number): Html {
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
      ${shown.map((row) => stackItem(row, now))}
    </ul>
    ${pages === 1 ? undefined : pager(query, page, pages)}
  </section>`;
}

/** The stacks of one cause: the first of them, and a link to all. What needs nobody is folded. */
function groupItem({ cause, tone, rows }: FleetGroup, now: number): Html {
  return html`<details id="g-${cause}" class="group" ${tone === 'quiet' || tone === 'well' ? undefined : html`open`}>
    <summary><h3>${icon(tone)} ${groupText(rows.length, cause)}</h3></summary>
    <ul class="resources">
      ${rows.slice(0, perGroup).map((row) => stackItem(row, now))}
    </ul>
    ${rows.length <= perGroup ? undefined : html`<p class="more"><a href="./?cause=${cause}#stacks">Show all ${rows.length}</a></p>`}
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
        ${fleetConditions.map((one) => option(one, `${words[one]} (${String(counts.get(one) ?? 0)})`, condition))}
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

function stackItem(row: FleetRow, now: number): Html {
  const { path, status, condition, tone, headline, detail, failure, elsewhere } = row;
  const page = status === undefined ? elsewhere?.url && new URL(stackUrl(path), elsewhere.url).href : stackUrl(path);
  const name = status?.stack.name ?? path;
  return html`<li id="stack-${encodeURIComponent(path)}" class="resource stack t-${tone}">
    <span class="sync-status">${icon(tone)} ${words[condition]}</span>
    <span class="address"
      >${page === undefined ? html`<b>${name}</b>` : html`<a href="${page}">${name}</a>`}${
        name === path ? undefined : html` <code class="quiet">${path}</code>`
      }</span
    >
    <span class="note"
      >${headline}${detail === undefined ? undefined : html`. ${prose(detail)}`}${failure?.hint === undefined ? undefined : html`: ${prose(failure.hint)}`}</span
    ><span class="facts"><span class="doing">${activityText(row.activity)}</span>${factsOf(row, now)}</span>
  </li>`;
}

function factsOf({ status, pending, drifted, lastRun }: FleetRow, now: number): Html {
  const [observed, applied] = [revisionText(status?.observed), revisionText(status?.applied)];
  const facts = [
    observed === undefined ? undefined : html`<code title="revision compared with the account">${observed}</code>`,
    applied === undefined || applied === observed ? undefined : html`applied <code>${applied}</code>`,
    pending === 0 ? undefined : html`${pending} pending`,
    drifted === 0 ? undefined : html`${drifted} drifted`,
    lastRun === undefined
      ? undefined
      : html`${lastRun.isDone ? 'last apply' : 'last apply failed'} ${timeElement(lastRun.at, now)}`,
  ].filter((fact) => fact !== undefined);
  return html`${facts.map((fact, n) => (n === 0 ? fact : html` · ${fact}`))}`;
}

function revisionText(revision: NonNullable<FleetRow['status']>['revision']): string | undefined {
  return (revision?.commit ?? revision?.content)?.slice(0, 7);
}
