import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { atOnce } from '../../src/model/sliced.ts';
import type { StatusPage } from '../../src/render/status/page/status-document.ts';
import { statusPageInSteps } from '../../src/render/status/page/status-page.ts';

/** The status page, in one step. */
export function statusPage(status: WatchStatus, search?: string, fleetUrl?: string): StatusPage {
  return atOnce(statusPageInSteps(status, search, fleetUrl));
}
