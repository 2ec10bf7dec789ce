import type { WatchStatus } from '../../../model/watch-status.ts';
import { atOnce, type Sliced } from '../../../model/sliced.ts';
import { html, type Html } from '../../text/html.ts';
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
import { byUrgency, statusQuery } from '../status-query.ts';
import { questionsOf } from '../status-questions.ts';
import { verdictOf } from '../status-verdict.ts';

/** The status page, with the resources that a query asks for, and a link to the page of its fleet. */
export function statusPage(status: WatchStatus, search = '', fleetUrl?: string): StatusPage {
  return atOnce(statusPageInSteps(status, search, fleetUrl));
}

/** The same in short steps, whatever the number of resources. */
export function* statusPageInSteps(status: WatchStatus, search = '', fleetUrl?: string): Sliced<StatusPage> {
  yield* byUrgency(status.resources);
  yield* statusGraph(status.resources);
  const verdict = pageVerdict(status);
  yield;
  const sections: (Html | undefined)[] = [];
  const order = mendsFirst(status) ? [failuresPart, ...sectionsOf.filter((one) => one !== failuresPart)] : sectionsOf;
  for (const section of order) {
    sections.push(section(status, search));
    yield;
  }
  return statusDocument(
    status,
    verdictOf(status).headline,
    html`<main>
      ${fleetUrl === undefined ? undefined : html`<p class="up"><a href="${fleetUrl}">All stacks</a></p>`} ${verdict}
      ${sections}
    </main>`,
  );
}

const failuresPart = (status: WatchStatus): Html | undefined => failuresSection(status);

/** Whether something has to be mended before anything can be approved or applied. */
function mendsFirst(status: WatchStatus): boolean {
  return questionsOf(status)[0]?.section === 'failures';
}

const sectionsOf: readonly ((status: WatchStatus, search: string) => Html | undefined)[] = [
  (status) => ruleSection(status),
  (status) => exposureSection(status),
  (status) => actionSection(status),
  (status) => applyingSection(status),
  failuresPart,
  (status) => pendingSection(status),
  (status, search) => resourcesSection(status, statusQuery(search)),
  (status) => reachSection(status),
  (status) => graphSection(status),
  (status) => historySection(status),
];
