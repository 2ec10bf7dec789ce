import type { WatchStatus } from '../../../model/watch-status.ts';
import type { Sliced } from '../../../model/sliced.ts';
import { html } from '../../text/html.ts';
import { statusDocument, type StatusPage } from './status-document.ts';
import { applyingSection } from './applying-section.ts';
import { reachSection } from './reach-section.ts';
import { pageVerdict } from './page-head.ts';
import { historySection } from './history-section.ts';
import { actionSection } from './action-section.ts';
import { exposureSection, ruleSection } from './access-sections.ts';
import { failuresSection } from './failures-section.ts';
import { pendingSection } from './pending-section.ts';
import { statusGraph } from '../graph/status-graph.ts';
import { graphSection, resourcesSection } from './resources-section.ts';
import { byUrgency, isFiltered, statusQuery } from '../status-query.ts';
import { verdictOf } from '../status-verdict.ts';

/** What a page of many resources takes longest for, in short steps: a page that is made afterwards has it. */
export function* preparedPage({ resources }: Pick<WatchStatus, 'resources'>, search = ''): Sliced<void> {
  if (isFiltered(statusQuery(search))) yield* byUrgency(resources);
  yield* statusGraph(resources);
}

/** The status page, with the resources that a query asks for, and a link to the page of its fleet. */
export function statusPage(status: WatchStatus, search = '', fleetUrl?: string): StatusPage {
  return statusDocument(
    status,
    verdictOf(status).headline,
    html`<main>
      ${fleetUrl === undefined ? undefined : html`<p class="up"><a href="${fleetUrl}">All stacks</a></p>`}
      ${pageVerdict(status)} ${ruleSection(status)} ${exposureSection(status)} ${actionSection(status)}
      ${applyingSection(status)} ${failuresSection(status)} ${pendingSection(status)}
      ${resourcesSection(status, statusQuery(search))} ${reachSection(status)} ${graphSection(status)}
      ${historySection(status)}
    </main>`,
  );
}
