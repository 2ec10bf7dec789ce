import { counted } from '../../../diagnostics/counted.ts';
import type { AccessSide, ComparedAccess } from '../../../model/exposure/access-comparison.ts';
import type { WatchStatus } from '../../../model/status/watch-status.ts';
import { accessEffectWords, otherAccess, unchangedAccess } from '../../access/access-comparison-text.ts';
import { html, type Html } from '../../text/html.ts';
import { icon } from './status-icons.ts';
import { fact, mostItems } from './status-folds.ts';

// At first; all of them are on the page of the section.
const mostUrls = 3;

/** Who can reach what the changes that await approval concern: now and after the approval, both in full. */
export function comparedAccess({ awaited }: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  const access = awaited?.access;
  if (access === undefined) return undefined;
  const { rows, omitted } = access;
  if (rows.length === 0) return html`<p id="access">${unchangedAccess}</p>`;
  const left = rows.slice(most).reduce((sum, { total }) => sum + total, omitted);
  return html`<section id="access">
    <h3>Who can reach what, now and after approval</h3>
    <ul class="compared">
      ${rows.slice(0, most).map((row) => comparedItem(row, most === mostItems.atFirst ? mostUrls : mostItems.inFull))}
    </ul>
    ${
      left > 0 &&
      html`<p class="more">
        <a href="details?section=access"
          >${counted(left, 'more URL or address', 'more URLs and addresses')}: show all</a
        >
      </p>`
    }
    <p class="quiet">${otherAccess}</p>
  </section>`;
}

function comparedItem({ effect, urls, total, now, after }: ComparedAccess, most: number): Html {
  return html`<li class="effect-${effect}">
    <p>
      <b class="mark">${accessEffectWords[effect]}</b>
      ${urls.slice(0, most).map((url) => html`<code class="url">${url}</code> `)}${
        total > most && html`<a href="details?section=access">and ${total - most} more</a>`
      }
    </p>
    <dl class="sides">${side('Now', now)} ${side('After approval', after)}</dl>
  </li>`;
}

function side(label: string, { audience, who }: AccessSide): Html {
  return fact(label, html`${icon(audience)} ${who}`);
}
