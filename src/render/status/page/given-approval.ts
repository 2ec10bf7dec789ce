import { approvalObstacle } from '../../../model/approval-obstacle.ts';
import type { WatchStatus } from '../../../model/watch-status.ts';
import { timeElement } from '../../text/ages.ts';
import { html, type Html } from '../../text/html.ts';
import { approvalEffectText } from '../status-words.ts';

/** Who has approved what is pending, and when that takes effect; undefined as long as nobody has. */
export function givenApproval(status: WatchStatus): Html | undefined {
  const { approvalGiven, now } = status;
  if (approvalGiven === undefined) return undefined;
  const { by, at, reason } = approvalGiven;
  return html`<p>
    Approved by <b>${by}</b>, ${timeElement(at, now)}${reason === undefined ? undefined : html`: ${reason}`}.
    ${approvalEffectText(approvalObstacle(status))}.
  </p>`;
}
