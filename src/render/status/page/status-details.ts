import type { Address } from '../../../model/address.ts';
import type { ResourceStatus, WatchStatus } from '../../../model/status/watch-status.ts';
import { html, lines, prose, timeElement, type Html } from '../../text/html.ts';
import { fact, mostItems, resourceLink } from './status-folds.ts';
import { icon } from './status-icons.ts';
import { statusDocument, type StatusPage } from './status-document.ts';
import { applyingSection } from './applying-section.ts';
import { reachSection } from './reach-section.ts';
import { applyDetails, applyWithKey, historySection } from './history-section.ts';
import { actionSection } from './action-section.ts';
import { comparedAccess } from './compared-access.ts';
import { exposureSection, ruleSection } from './access-sections.ts';
import { failuresSection } from './failures-section.ts';
import { pendingItem, pendingSection } from './pending-section.ts';
import { syncStatusWords } from '../status-words.ts';

/** The sections of a status, with at most so many items each. */
export const sectionOf = {
  rules: ruleSection,
  exposed: exposureSection,
  action: actionSection,
  access: comparedAccess,
  applying: applyingSection,
  failures: failuresSection,
  pending: pendingSection,
  reach: reachSection,
  history: historySection,
} satisfies Readonly<Record<string, (status: WatchStatus, most?: number) => Html | undefined>>;

/** A part of a status that has a page of its own. */
export type StatusSection = keyof typeof sectionOf;

/** The page of one part of a status: a resource, an apply, the plan to approve, a section in full. Undefined: there is no such part. */
export function statusDetails(status: WatchStatus, search: string): StatusPage | undefined {
  const part = partOf(status, new URLSearchParams(search));
  if (part === undefined) return undefined;
  const { title, content } = part;
  return statusDocument(
    status,
    title,
    html`<main>
      <p><a href="./">Status of ${status.stack.name}</a></p>
      <h1>${title}</h1>
      <div id="part">${content}</div>
    </main>`,
  );
}

function partOf(status: WatchStatus, asked: URLSearchParams): { title: string; content: Html } | undefined {
  const section = asked.get('section') ?? '';
  const content = isSection(section) ? sectionOf[section](status, mostItems.inFull) : undefined;
  if (content !== undefined) return { title: 'All entries of this list', content };
  const resource = status.resources.find(({ address }) => address === asked.get('resource'));
  if (resource !== undefined) return { title: resource.address, content: resourceDetails(status, resource) };
  const apply = applyWithKey(status, asked.get('apply') ?? '');
  if (apply !== undefined) return { title: 'Apply', content: applyDetails(apply, status.now) };
  const plan = asked.has('plan') ? status.awaited?.plan : undefined;
  if (plan === undefined) return undefined;
  return {
    title: 'The plan that an approval covers',
    content: html`<pre class="plan" tabindex="0">${lines(plan.trimEnd())}</pre>`,
  };
}

function isSection(text: string): text is StatusSection {
  return Object.hasOwn(sectionOf, text);
}

function resourceDetails(status: WatchStatus, resource: ResourceStatus): Html {
  const { address, syncStatus, note, source, expiresAt, dependsOn } = resource;
  const pending = status.pending.filter((one) => one.address === address);
  const dependents = status.resources.filter((one) => one.dependsOn.includes(address)).map((one) => one.address);
  const reached = (status.exposure?.rows ?? [])
    .filter((row) => row.route === address || row.edge === address)
    .slice(0, mostItems.inFull)
    .map(({ who, urls }) => html`<li>${who}: ${urls.map((url) => html`<code>${url}</code> `)}</li>`);
  const now = status.now;
  return html`<dl class="facts-list">
      ${fact('Status', html`${icon(syncStatus)} ${syncStatusWords[syncStatus]}`)}
      ${note !== undefined && fact('Why', prose(note))}
      ${source !== undefined && fact('Manifest', html`<code>${source}</code>`)}
      ${expiresAt !== undefined && fact('Expires', timeElement(expiresAt, now))}
      ${dependsOn.length > 0 && fact('Depends on', linkList(dependsOn, changeOfLine(resource)))}
      ${dependents.length > 0 && fact('Required by', linkList(dependents))}
      ${
        reached.length > 0 &&
        fact(
          'Who can reach which URL',
          html`<ul>
            ${reached}
          </ul>`,
        )
      }
    </dl>
    ${
      pending.length > 0 &&
      html`<h2>What would change</h2>
        <ul class="changes">
          ${pending.map((one) => pendingItem(one, status, { mostLines: Number.POSITIVE_INFINITY }))}
        </ul>`
    }`;
}

function linkList(addresses: readonly Address[], noteOf: (address: Address) => string = () => ''): Html {
  return html`<ul>
    ${addresses.slice(0, mostItems.inFull).map((address) => html`<li>${resourceLink(address)}${noteOf(address)}</li>`)}
  </ul>`;
}

function changeOfLine({ addedDependencies, removedDependencies }: ResourceStatus): (on: Address) => string {
  return (on) => {
    if (addedDependencies?.includes(on) === true) return ' (once the change is applied)';
    return removedDependencies?.includes(on) === true ? ' (until the change is applied)' : '';
  };
}
