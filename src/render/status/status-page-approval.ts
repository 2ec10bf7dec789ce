import type { AwaitedApproval } from '../../model/watch-status.ts';
import { html, type Html } from '../text/html.ts';

/**
 * The fields to approve the pending changes on the page. Its id has the digest, so that what was typed for other changes never
 * approves these; its fields have no names, so that nothing is sent without the script.
 */
export function approvalForm({ digest }: AwaitedApproval): Html {
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
