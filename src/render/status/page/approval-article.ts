import { counted } from '../../../diagnostics/counted.ts';
import { approvalObstacle } from '../../../model/approval-obstacle.ts';
import type { AwaitedApproval, PendingChange, WatchStatus } from '../../../model/watch-status.ts';
import { actionWords, countActions } from '../../plan/action-words.ts';
import { hazardTexts, operationTexts } from '../../plan/approval-summary.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { wholeDigest } from '../status-digest.ts';
import { furtherItems, resourceLink, textFold } from './status-folds.ts';
import { pendingItem } from './pending-section.ts';
import { approvalStartText, pendingWords } from '../status-words.ts';

// Of further ones there is the number.
const mostNamed = 5;

/** What needs approval: in numbers, what follows and what does not, how to approve, and then each change. */
export function approvalArticle(status: WatchStatus, most: number): Html | undefined {
  const { pending, awaited } = status;
  const changes = pending.filter((one) => one.reason === 'approval');
  if (changes.length === 0) return undefined;
  const form =
    awaited === undefined || !status.approvalWays.includes('page')
      ? undefined
      : approvalForm(awaited.digest, changes.length);
  const others = awaited === undefined ? undefined : otherWays(awaited, status);
  return html`<article>
    <h3>${counted(changes.length, 'change')} pending approval</h3>
    ${awaited === undefined ? html`<p>${countActions(actionsOf(changes), 'toDo')}</p>` : coverage(awaited, status)}
    ${form ?? others}
    <ul class="changes">
      ${changes.slice(0, most).map((one) => pendingItem(one, status))}
    </ul>
    ${furtherItems(changes.length, most, 'action')}
    ${
      awaited === undefined
        ? undefined
        : textFold('awaited', 'The whole plan that this approves', awaited.plan, 'details?plan=awaited')
    }
    ${form === undefined ? undefined : others}
  </article>`;
}

/** What an approval does, what follows by itself, and what of the pending changes it does not cover. */
function coverage({ summary, follows }: AwaitedApproval, status: WatchStatus): Html {
  const { pending } = status;
  const hazards = hazardTexts(summary);
  const following = new Set(follows.map(({ address }) => address));
  const others = pending.filter(({ reason, address }) => reason !== 'approval' && !following.has(address));
  return html`<dl class="facts-list covers">
    ${fact(
      'If you approve',
      html`<ul>
        ${operationTexts(summary).map((text) => html`<li>${text}</li>`)}
      </ul>`,
    )}
    ${fact('When', html`${approvalStartText(approvalObstacle(status))}`)}
    ${hazards.length === 0 ? undefined : fact('Hazards', html`<b class="codes">${hazards.join(', ')}</b>`)}
    ${follows.length === 0 ? undefined : fact('Then, by itself', namedChanges(follows))}
    ${others.length === 0 ? undefined : fact('Not by this approval', namedChanges(others))}
  </dl>`;
}

function namedChanges(changes: readonly (Pick<PendingChange, 'action' | 'address'> & Partial<PendingChange>)[]): Html {
  return html`<ul>
    ${changes
      .slice(0, mostNamed)
      .map(
        ({ action, address, reason }) =>
          html`<li>
            ${action === 'none' ? undefined : actionWords[action].toDo}
            ${resourceLink(address)}${reason === undefined ? undefined : ` (${pendingWords[reason]})`}
          </li>`,
      )}
    ${changes.length > mostNamed ? html`<li>${changes.length - mostNamed} more</li>` : undefined}
  </ul>`;
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function actionsOf(changes: readonly PendingChange[]): readonly PendingChange['action'][] {
  return changes.map(({ action }) => action);
}

/** The ways to approve beside the page; and why a commit did not approve it. */
function otherWays({ digest }: AwaitedApproval, status: WatchStatus): Html {
  const { approvalWays, refusedApproval } = status;
  const byCommand = approvalWays.includes('page') ? 'Or approve by command:' : 'After the review, run';
  // The command reads from the watch state what can be approved.
  return html`<p>
      ${approvalObstacle(status) === 'unsaved' ? 'Once the watch state can be written again, run' : byCommand}
      <code class="command whole">sluice approve ${wholeDigest(digest)}</code>
    </p>
    ${
      approvalWays.includes('commit')
        ? html`<p>
            Or push a commit that an allowed signer signed, with the trailer
            <code class="command whole">Sluice-Approve: ${wholeDigest(digest)}</code>
          </p>`
        : undefined
    }
    ${refusedApproval === undefined ? undefined : html`<p class="hazard">${prose(refusedApproval)}</p>`}`;
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
