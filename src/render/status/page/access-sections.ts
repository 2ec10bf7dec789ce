import { placeText, type SourceLocation } from '../../../diagnostics/diagnostic.ts';
import type { Exposure, RuleBreach, WatchStatus } from '../../../model/status/watch-status.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { sluiceCommand } from '../sluice-command.ts';
import type { StatusSection } from './status-details.ts';
import { furtherItems, mostItems, resourceLink } from './status-folds.ts';

/** URLs that anyone can reach now, and that are not meant to be public. */
export function exposureSection({ exposures }: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  return accessSection(
    'exposed',
    'Publicly exposed',
    exposures,
    most,
    html`<p>
      Restrict access in the manifests and apply them; or list the URL under <code>access.public</code> in sluice.yaml
      if it is meant to be public.
    </p>`,
  );
}

/** Access rules that the account breaks now. */
export function ruleSection({ ruleBreaches, dir }: WatchStatus, most: number = mostItems.atFirst): Html | undefined {
  return accessSection(
    'rules',
    'Access rules broken',
    ruleBreaches,
    most,
    html`<p>
      Apply the change that restores the rule, if <code class="command">${sluiceCommand(dir, ['plan'])}</code> shows
      one; otherwise correct the manifests.
    </p>`,
  );
}

function accessSection(
  id: StatusSection,
  heading: string,
  findings: readonly (Pick<Exposure, 'address' | 'message'> & Pick<RuleBreach, 'place' | 'rulePlace'>)[],
  most: number,
  whatToDo: Html,
): Html | undefined {
  if (findings.length === 0) return undefined;
  return html`<section id="${id}" class="panel bad">
    <h2>${heading}</h2>
    ${findings.slice(0, most).map(
      ({ address, message, place, rulePlace }) =>
        html`<article>
          <h3>${resourceLink(address)}</h3>
          <p>${prose(message)}</p>
          ${writtenAt('Route', place)} ${writtenAt('Rule', rulePlace)}
        </article>`,
    )}
    ${furtherItems(findings.length, most, id)} ${whatToDo}
  </section>`;
}

function writtenAt(what: string, place: SourceLocation | undefined): Html | undefined {
  return place === undefined ? undefined : html`<p>${what}: <code class="place">${placeText(place)}</code></p>`;
}
