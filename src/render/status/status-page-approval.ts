import type { WatchStatus } from '../../model/watch-status.ts';
import { wholeDigest } from './status-digest.ts';
import { html, prose, type Html } from '../text/html.ts';

/** How to approve what is pending: by command, and every other way that the watch takes; and why a commit did not approve it. */
export function approvalSection({ awaited, approvalWays, refusedApproval }: WatchStatus): Html | undefined {
  if (awaited === undefined) return undefined;
  return html`${
    approvalWays.includes('commit')
      ? html`<p>
          Or push a commit that an allowed signer signed, with the trailer
          <code class="command whole">Sluice-Approve: ${wholeDigest(awaited.digest)}</code>
        </p>`
      : undefined
  }
  ${refusedApproval === undefined ? undefined : html`<p class="hazard">${prose(refusedApproval)}</p>`}
  ${approvalWays.includes('page') ? approvalForm(awaited) : undefined}`;
}

/**
 * The fields to approve the pending changes on the page. Its id has the digest, so that what was typed for other changes never
 * approves these; its fields have no names, so that nothing is sent without the script.
 */
function approvalForm({ digest }: NonNullable<WatchStatus['awaited']>): Html {
  return html`<form id="approve-${digest}" class="approval" data-approves="${digest}" autocomplete="off">
    <p>Approve exactly these changes here, with the token that the operator has given you:</p>
    <div class="fields">
      <label>Reason <input type="text" maxlength="200" placeholder="CHG-1042" autocomplete="off" /></label>
      <label>Token <input type="password" required autocomplete="off" /></label>
      <button type="submit">Approve</button>
    </div>
    <p class="answer" role="status" aria-live="polite"></p>
  </form>`;
}
