import { counted } from '../../../diagnostics/counted.ts';
import { approvalObstacle, type ApprovalObstacle } from '../../../model/approval-obstacle.ts';
import type { HazardCode } from '../../../model/plan/plan.ts';
import type { AwaitedApproval, PendingChange, WatchStatus } from '../../../model/watch-status.ts';
import { actionWords } from '../../plan/action-words.ts';
import { operationTexts } from '../../plan/approval-summary.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { approvalEffectText, approvalStartText, pendingWords } from '../status-words.ts';
import { mostSevereFirst } from './approval-article.ts';
import { resourceLink } from './status-folds.ts';

// Of further ones there is the number.
const mostNamed = 5;

// What a reader has to know of the effect, the most severe first; how many are deleted is said with the changes.
const effects: readonly (readonly [HazardCode, string])[] = [
  ['EXPOSES_PUBLICLY', 'Becomes public'],
  ['OPENS_ACCESS', 'Access opens'],
  ['RESTRICTS_ACCESS', 'Access is restricted'],
  ['LOSES_ADDRESS', 'Lost for good'],
  ['INTERRUPTS_TRAFFIC', 'Traffic interrupted'],
  ['REISSUES_CREDENTIAL', 'Credentials'],
  ['ADOPTS_EXISTING', 'Adopted'],
];

/** What changes if a person approves: each change, its effect, what follows by itself, and what stays. */
export function approvalAnswer(status: WatchStatus): Html {
  const { pending, awaited, role } = status;
  const changes = mostSevereFirst(pending.filter(({ reason }) => reason === 'approval'));
  if (role === 'standby') return html`<p>Approvals are taken by the leader.</p>`;
  if (changes.length === 0) return withoutApproval(status);
  return html`<p>${effectText(approvalObstacle(status))}:</p>
    <dl class="facts-list covers">
      ${fact(counted(changes.length, 'change'), changesOf(changes, awaited))}
      ${effects.map(([code, label]) => effectFact(code, label, changes))}
      ${awaited === undefined ? undefined : afterwards(awaited, status)}
    </dl>`;
}

function effectText(obstacle: ApprovalObstacle | undefined): string {
  return obstacle === 'unsaved' ? approvalEffectText(obstacle) : `Applied ${approvalStartText(obstacle)}`;
}

/** Nothing can be approved; why what is pending is not applied all the same. */
function withoutApproval({ pending, failures, lastRefresh }: WatchStatus): Html {
  if (lastRefresh === undefined && pending.length === 0)
    return html`<p>Not known yet: the account has not been read.</p>`;
  const isUnknown = failures.some(({ scope }) => scope === 'account' || scope === 'manifests');
  return html`<p>${isUnknown ? 'Nothing was pending approval at the last refresh.' : 'Nothing is pending approval.'}</p>
    ${pending.length === 0 ? undefined : html`<p class="quiet">An approval has no effect on what is pending now: ${namedReasons(pending)}.</p>`}`;
}

function namedReasons(pending: readonly PendingChange[]): string {
  return [...new Set(pending.map(({ reason }) => pendingWords[reason]))].join(', ');
}

function changesOf(changes: readonly PendingChange[], awaited: AwaitedApproval | undefined): Html {
  if (changes.length <= mostNamed) return namedChanges(changes);
  return html`${awaited === undefined ? undefined : operationTexts(awaited.summary).map((text) => html`<p>${text}</p>`)}
  ${namedChanges(changes)}`;
}

/** What of the effects the changes have, each once. */
function effectFact(code: HazardCode, label: string, changes: readonly PendingChange[]): Html | undefined {
  const found = changes.flatMap(({ hazards }) => hazards.filter((one) => one.code === code));
  const texts = [
    ...new Set(found.map(({ message, temporary }) => `${message}${temporary === true ? ' (temporary)' : ''}`)),
  ];
  if (texts.length === 0) return undefined;
  return fact(
    label,
    html`<ul class="hazard">
      ${texts.slice(0, mostNamed).map((text) => html`<li>${prose(text)}</li>`)} ${moreItem(texts.length)}
    </ul>`,
  );
}

/** What follows by itself, and what stays pending. */
function afterwards({ follows }: AwaitedApproval, { pending }: WatchStatus): Html {
  const following = new Set(follows.map(({ address }) => address));
  const others = pending.filter(({ reason, address }) => reason !== 'approval' && !following.has(address));
  return html`${fact('Then, by itself', follows.length === 0 ? html`nothing` : namedChanges(follows))}
  ${fact('Stays pending', others.length === 0 ? html`nothing` : namedChanges(others))}`;
}

function namedChanges(changes: readonly (Pick<PendingChange, 'action' | 'address'> & Partial<PendingChange>)[]): Html {
  return html`<ul>
    ${changes
      .slice(0, mostNamed)
      .map(
        ({ action, address, reason }) =>
          html`<li>
            ${action === 'none' ? undefined : actionWords[action].toDo}
            ${resourceLink(address)}${reason === undefined || reason === 'approval' ? undefined : ` (${pendingWords[reason]})`}
          </li>`,
      )}
    ${moreItem(changes.length)}
  </ul>`;
}

function moreItem(count: number): Html | undefined {
  return count > mostNamed ? html`<li>and ${count - mostNamed} more</li>` : undefined;
}

function fact(name: string, value: Html): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
