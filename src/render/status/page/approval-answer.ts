import { counted } from '../../../diagnostics/counted.ts';
import { approvalObstacle, type ApprovalObstacle } from '../../../model/status/approval-obstacle.ts';
import { isOnStandby } from '../../../model/status/on-standby.ts';
import type { AccessComparison, AccessEffect } from '../../../model/exposure/access-comparison.ts';
import type { Hazard, HazardCode } from '../../../model/plan/plan.ts';
import type { AwaitedApproval, PendingChange, WatchStatus } from '../../../model/status/watch-status.ts';
import { actionWords } from '../../plan/action-words.ts';
import { operationTexts } from '../../plan/approval-summary.ts';
import { html, prose, type Html } from '../../text/html.ts';
import { countReasons, pendingCountText, pendingText } from '../pending-words.ts';
import { approvalEffectText, approvalStartText } from '../status-words.ts';
import { changeGroups, type ChangeGroup } from '../change-groups.ts';
import { comparedAccess } from './compared-access.ts';
import { fact, resourceLink } from './status-folds.ts';

// Further ones are folded, and of still more there is the number.
const mostNamed = 5;
const mostFolded = 4;
// Of changes that are summarized as one, alone and beside others.
const mostAlike = 60;
const mostAlikeBeside = 4;
// Of changes that are summarized as one.
const mostExamples = 3;
const mostGroups = 8;
// The changes below have all of them.
const mostTexts = 3;

type Effect = readonly [HazardCode, string];

// What a reader has to know of the effect, the most severe first; the changes show how many are deleted.
const effects: readonly Effect[] = [
  ['EXPOSES_PUBLICLY', 'Becomes public'],
  ['OPENS_ACCESS', 'Access is opened'],
  ['RESTRICTS_ACCESS', 'Access is restricted'],
  ['LOSES_ADDRESS', 'Permanently lost'],
  ['DELETES_UNMARKED', 'Ownership marker missing'],
  ['INTERRUPTS_TRAFFIC', 'Traffic interrupted'],
  ['REISSUES_CREDENTIAL', 'Credentials'],
  ['ADOPTS_EXISTING', 'Adopted'],
];

/** What an approval does: each change, its effect, what follows automatically, and what stays pending. */
export function approvalAnswer(status: WatchStatus): Html {
  const { pending, awaited } = status;
  const changes = pending.filter(({ reason }) => reason === 'approval');
  if (isOnStandby(status)) return onStandby(status);
  if (changes.length === 0) return withoutApproval(status);
  return html`<p>${effectText(approvalObstacle(status))}:</p>
    <dl class="facts-list covers">
      ${fact(counted(changes.length, 'change'), changesOf(changes, awaited))}
      ${effects.map((effect) => effectFact(effect, changes, awaited?.access))}
      ${awaited !== undefined && afterwards(awaited, status)}
    </dl>
    ${comparedAccess(status)} ${behindNote(status)}`;
}

function effectText(obstacle: ApprovalObstacle | undefined): string {
  return obstacle === 'unsaved' ? approvalEffectText(obstacle) : `Applied ${approvalStartText(obstacle)}`;
}

/** A standby changes nothing, and knows no changes. */
function onStandby({ leaderUrl }: WatchStatus): Html {
  const where = leaderUrl === undefined ? 'leader' : html`<a href="${leaderUrl}">status page of the leader</a>`;
  return html`<p>A standby takes no approvals. Approve changes on the ${where}.</p>`;
}

function withoutApproval(status: WatchStatus): Html {
  const { pending, failures, lastRefresh } = status;
  if (lastRefresh === undefined && pending.length === 0)
    return html`<p>Not known yet: the account has not been read.</p>`;
  const reasons = countReasons(pending).map(([reason, count]) => pendingCountText(reason, count));
  const isUnknown = failures.some(({ scope }) => scope === 'account' || scope === 'manifests');
  return html`<p>${isUnknown ? 'Nothing required approval at the last refresh.' : 'Nothing requires approval.'}</p>
    ${pending.length > 0 && html`<p class="quiet">Pending for other reasons: ${reasons.join(', ')}.</p>`}
    ${behindNote(status)}`;
}

/** What a revision changes is known once it was compared with the account. */
function behindNote({ revision, observed, lastRefresh }: WatchStatus): Html | undefined {
  if (revision === undefined || lastRefresh === undefined || revision.content === observed?.content) return undefined;
  return html`<p class="quiet">
    Revision <code>${revision.commit?.slice(0, 7) ?? revision.content}</code> is read, and not compared with the account
    yet: what it changes is not known.
  </p>`;
}

function changesOf(changes: readonly PendingChange[], awaited: AwaitedApproval | undefined): Html {
  const groups = changeGroups(changes);
  const apart = groups.filter(({ isMany }) => !isMany).flatMap((one) => one.changes);
  const many = groups.filter(({ isMany }) => isMany);
  const others = many.slice(mostGroups).reduce((sum, one) => sum + one.changes.length, 0);
  return html`${many.length > 0 && awaited !== undefined && html`<p>${operationTexts(awaited.summary).join('; ')}</p>`}
  ${apart.length > 0 && namedChanges('changes', apart)}
  ${many.slice(0, mostGroups).map((one, at, all) => alikeChanges(one, at, all.length === 1 ? mostAlike : mostAlikeBeside))}
  ${others > 0 && html`<p>${others} more: <a href="details?section=action">show all</a></p>`}`;
}

function alikeChanges({ action, kind, changes }: ChangeGroup, at: number, most: number): Html {
  return html`<p class="alike">${actionWords[action].toDo} ${changes.length} <code>${kind}</code>, among them</p>
    ${foldedList(
      `alike-${at}`,
      // They are links under Action required and among the resources.
      changes.map((one, index) => (index < mostExamples ? changeItem(one) : html`${one.address}`)),
      mostExamples,
      most,
    )}`;
}

function effectFact([code, label]: Effect, changes: PendingChange[], access?: AccessComparison): Html | undefined {
  const isCompared = (one: Hazard): boolean => one.asked !== undefined && isShownIn(access, one);
  const found = changes.flatMap(({ hazards }) => hazards.filter((one) => one.code === code && !isCompared(one)));
  const texts = [
    ...new Set(found.map(({ message, temporary }) => `${message}${temporary === true ? ' (temporary)' : ''}`)),
  ];
  if (texts.length === 0) return undefined;
  return fact(
    label,
    html`<ul class="hazard">
      ${texts.slice(0, mostTexts).map((text) => html`<li>${prose(text)}</li> `)}
      ${texts.length > mostTexts && html`<li>and ${texts.length - mostTexts} more</li>`}
    </ul>`,
  );
}

// What the comparison below calls what a hazard is about. It does not know what was required of what nobody can reach now.
const shownAs: Partial<Record<HazardCode, readonly AccessEffect[]>> = {
  EXPOSES_PUBLICLY: ['public'],
  OPENS_ACCESS: ['public', 'opened', 'changed'],
  RESTRICTS_ACCESS: ['restricted', 'changed'],
};

/** Whether the comparison of who can reach what, now and after, shows a hazard at each of its URLs. */
function isShownIn(access: AccessComparison | undefined, { code, urls = [], temporary }: Hazard): boolean {
  if (access === undefined || urls.length === 0 || temporary === true) return false;
  const rows = access.rows.filter(({ effect }) => shownAs[code]?.includes(effect) === true);
  // It lists the first of many URLs.
  if (access.omitted > 0 || rows.some((row) => row.total > row.urls.length)) return true;
  const shown = rows.flatMap((row) => row.urls);
  const covers = (one: string, url: string): boolean => one.endsWith('…') && url.startsWith(one.slice(0, -1));
  return urls.every((url) => shown.some((one) => one === url || covers(one, url)));
}

function afterwards({ follows }: AwaitedApproval, { pending }: WatchStatus): Html {
  const following = new Set(follows.map(({ address }) => address));
  const others = pending.filter(({ reason, address }) => reason !== 'approval' && !following.has(address));
  return html`${fact('Applied automatically after the approved changes', follows.length === 0 ? html`nothing` : namedChanges('follows', follows))}
  ${fact('Not covered by the approval', others.length === 0 ? html`nothing` : namedChanges('others', others))}`;
}

type NamedChange = Pick<PendingChange, 'action' | 'address'> & Partial<Pick<PendingChange, 'reason' | 'waitsFor'>>;

function namedChanges(key: string, changes: readonly NamedChange[]): Html {
  return foldedList(key, changes.map(changeItem));
}

function changeItem({ action, address, reason, waitsFor }: NamedChange): Html {
  return html`${action !== 'none' && actionWords[action].toDo}
  ${resourceLink(address)}${reason !== undefined && reason !== 'approval' && ` (${pendingText({ reason, ...(waitsFor === undefined ? {} : { waitsFor }) })})`}`;
}

function foldedList(key: string, items: readonly Html[], most = mostNamed, folded = mostFolded): Html {
  const [further, others] = [items.slice(most, most + folded), items.length - most - folded];
  return html`<ul>
      ${items.slice(0, most).map((item) => html`<li>${item}</li> `)}
    </ul>
    ${
      further.length > 0 &&
      html`<details id="approval-${key}">
        <summary>and ${items.length - most} more</summary>
        <ul>
          ${further.map((item) => html`<li>${item}</li> `)}
        </ul>
        ${others > 0 && html`<p>${others} more: <a href="details?section=action">show all</a></p>`}
      </details>`
    }`;
}
