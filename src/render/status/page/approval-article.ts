import { counted } from '../../../diagnostics/counted.ts';
import { approvalObstacle } from '../../../model/status/approval-obstacle.ts';
import type { AwaitedApproval, PendingChange, WatchStatus } from '../../../model/status/watch-status.ts';
import { html, prose, timeElement, type Html } from '../../text/html.ts';
import { changeGroups } from '../change-groups.ts';
import { pendingCountText } from '../pending-words.ts';
import { sluiceCommand } from '../sluice-command.ts';
import { wholeDigest } from '../status-digest.ts';
import { approvalEffectText } from '../status-words.ts';
import { pendingItem } from './pending-section.ts';
import { furtherItems, mostItems, textFold } from './status-folds.ts';

/** What needs approval: how to approve, and each change with its differences, the most severe first. */
export function approvalArticle(status: WatchStatus, most: number): Html | undefined {
  const { pending, awaited } = status;
  const changes = pending.filter((one) => one.reason === 'approval');
  if (changes.length === 0) return undefined;
  const isOnPage = status.approvalGiven === undefined && awaited !== undefined && canApproveOnPage(status);
  const form = isOnPage ? approvalForm(awaited.digest, changes.length) : undefined;
  const others = awaited === undefined ? undefined : (givenApproval(status) ?? otherWays(awaited, status));
  const shown = shownChanges(changes, most);
  return html`<article>
    <h3>${pendingCountText('approval', changes.length)}</h3>
    ${form ?? others}
    <ul class="changes">
      ${shown.map((one, at, all) => pendingItem(one, status, { isReasonSaid: one.message === all[at - 1]?.message }))}
    </ul>
    ${furtherItems(changes.length, shown.length, 'action')}
    ${
      awaited !== undefined &&
      textFold('awaited', 'The whole plan that the approval covers', awaited.plan, 'details?plan=awaited')
    }
    ${form !== undefined && others}
  </article>`;
}

/** Whether what is pending can be approved on the page now. */
export function canApproveOnPage(status: WatchStatus): boolean {
  return status.approvalWays.includes('page') && approvalObstacle(status) !== 'unsaved';
}

// Of changes that are alike, where there is no room for all of them.
const mostAlike = 2;

/** The changes that are shown: what differs from the others before the many that are alike, and of each of these some. */
function shownChanges(changes: readonly PendingChange[], most: number): readonly PendingChange[] {
  const groups = changeGroups(changes);
  if (changes.length <= most) return groups.flatMap((one) => one.changes);
  return groups
    .flatMap((one) => (one.isMany ? one.changes.slice(0, most === mostItems.atFirst ? mostAlike : most) : one.changes))
    .slice(0, most);
}

function otherWays({ digest }: AwaitedApproval, status: WatchStatus): Html {
  const { approvalWays, refusedApproval, dir } = status;
  // An approval has to be kept, and the command reads from the watch state what can be approved.
  if (approvalObstacle(status) === 'unsaved')
    return html`<p class="hazard">${approvalEffectText('unsaved')}. <a href="#failures">Why</a></p>`;
  const command = html`<code class="command">${sluiceCommand(dir, ['approve'])} ${wholeDigest(digest)}</code>`;
  return html`${canApproveOnPage(status) ? html`<p class="ways">Or in a terminal: ${command}</p>` : html`<p>After the review, run ${command}</p>`}
  ${
    approvalWays.includes('commit') &&
    html`<p class="ways">
      Or push a commit that an allowed signer signed, with the trailer
      <code class="command">Sluice-Approve: ${wholeDigest(digest)}</code>
    </p>`
  }
  ${refusedApproval !== undefined && html`<p class="hazard">${prose(refusedApproval)}</p>`}`;
}

/**
 * The fields to approve the pending changes on the page. Its id has the digest, so that what was typed for other changes never
 * approves these; its fields have no names, so that nothing is sent without the script.
 */
function approvalForm(digest: string, count: number): Html {
  return html`<form id="approve-${digest}" class="approval" data-approves="${digest}" autocomplete="off">
    <p>Review the changes below. To approve exactly these, enter the token that the operator has given you:</p>
    <div class="fields">
      <label>Token <input type="password" required autocomplete="off" /></label>
      <label>Reason <input type="text" maxlength="200" placeholder="CHG-1042" autocomplete="off" /></label>
      <button type="submit" class="primary">Approve ${counted(count, 'change')}</button>
    </div>
    <p class="answer" role="status" aria-live="polite"></p>
  </form>`;
}

/** Who has approved what is pending, and when that takes effect; undefined as long as nobody has. */
export function givenApproval(status: WatchStatus): Html | undefined {
  const { approvalGiven, now } = status;
  if (approvalGiven === undefined) return undefined;
  const { by, at, reason } = approvalGiven;
  return html`<p>
    Approved by <b>${by}</b>, ${timeElement(at, now)}${reason !== undefined && html`: ${reason}`}.
    ${approvalEffectText(approvalObstacle(status))}.
  </p>`;
}
