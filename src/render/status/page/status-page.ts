import type { WatchStatus } from '../../../model/status/watch-status.ts';
import type { Sliced } from '../../../model/sliced.ts';
import { html, type Html } from '../../text/html.ts';
import { statusDocument, type StatusPage } from './status-document.ts';
import { pageVerdict } from './page-head.ts';
import { sectionOf, type StatusSection } from './status-details.ts';
import { statusGraph } from '../graph/status-graph.ts';
import { graphSection, resourcesSection } from './resources-section.ts';
import { byUrgency, statusQuery } from '../status-query.ts';
import { questionsOf } from '../status-questions.ts';
import { verdictOf } from '../status-verdict.ts';

/** The status page, with the resources that a query asks for, and a link to the page of its fleet; in short steps, whatever the number of resources. */
export function* statusPageInSteps(status: WatchStatus, search = '', fleetUrl?: string): Sliced<StatusPage> {
  yield* byUrgency(status.resources);
  yield* statusGraph(status.resources);
  const verdict = pageVerdict(status);
  yield;
  const sections: (Html | undefined)[] = [];
  const order = mendsFirst(status) ? ['failures' as const, ...parts.filter((one) => one !== 'failures')] : parts;
  for (const part of order) {
    if (part === 'resources') sections.push(resourcesSection(status, statusQuery(search)));
    else sections.push(part === 'graph' ? graphSection(status) : sectionOf[part](status));
    yield;
  }
  return statusDocument(
    status,
    verdictOf(status).headline,
    html`<main>
      ${fleetUrl !== undefined && html`<p class="up"><a href="${fleetUrl}">All stacks</a></p>`} ${verdict} ${sections}
    </main>`,
  );
}

/** Whether something has to be mended before anything can be approved or applied. */
function mendsFirst(status: WatchStatus): boolean {
  return questionsOf(status)[0]?.section === 'failures';
}

const parts: readonly (StatusSection | 'resources' | 'graph')[] = [
  'rules',
  'exposed',
  'action',
  'applying',
  'failures',
  'pending',
  'resources',
  'reach',
  'graph',
  'history',
];
