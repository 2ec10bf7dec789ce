import { html, type Html } from '../../text/html.ts';
import { isFiltered, searchOf, type ListQuery } from '../status-query.ts';

/** What a list of a page is filtered by, beside text: a field, with its values and their labels. */
export interface FilterField {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** The form that filters a list of a page. */
export function filterForm(list: string, query: ListQuery, fields: readonly FilterField[]): Html {
  return html`<form id="filter" method="get" action="./" role="search" aria-label="Filter ${list}">
    <label>Search <input type="search" name="q" value="${query.text}" maxlength="200" autocomplete="off" /></label>
    ${fields.map(({ label, name, options }) => {
      const chosen = query.filters[name] ?? '';
      return html`<label
        >${label}
        <select name="${name}">
          ${[['', 'any'] as const, ...options].map(
            ([value, words]) => html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`,
          )}
        </select></label
      > `;
    })}
    <button type="submit">Filter</button>
    ${isFiltered(query) && html`<a href="./#${list}">Clear</a>`}
  </form>`;
}

/** Links from one page of a list to those beside it; undefined where there is only one. */
export function pager(
  list: string,
  { page, pages }: { readonly page: number; readonly pages: number },
  query: ListQuery,
): Html | undefined {
  if (pages === 1) return undefined;
  const link = (to: number, label: string): Html | undefined =>
    to < 1 || to > pages ? undefined : html`<a href="./${searchOf(query, to)}#${list}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages of ${list}">
    ${link(page - 1, 'Previous')} <span>Page ${page} of ${pages}</span> ${link(page + 1, 'Next')}
  </nav>`;
}
