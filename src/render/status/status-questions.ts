import { approvalObstacle, type ApprovalObstacle } from '../../model/status/approval-obstacle.ts';
import { counted } from '../../diagnostics/counted.ts';
import type { Address } from '../../model/address.ts';
import { groupBy } from '../../model/group-by.ts';
import { isRefusedByService, stuckFailures } from '../../model/status/stuck-failure.ts';
import type { PendingChange, WatchFailure, WatchStatus } from '../../model/status/watch-status.ts';
import { earliest } from '../text/ages.ts';
import { unresolvedCount } from '../plan/unresolved-creations.ts';
import { failureMeaning } from './failure-words.ts';
import { pendingCountText } from './pending-words.ts';
import type { Cause } from './status-causes.ts';

/** Something that only a person can resolve. */
export interface Question {
  readonly count: number;
  readonly text: string;
  readonly cause: Cause;
  readonly section: 'rules' | 'exposed' | 'action' | 'failures';
  readonly addresses: readonly Address[];
  /** Since when the first of them is so, where that is known. */
  readonly since?: number | undefined;
}

/** Everything that only a person can resolve; all changes of one approval count as one. */
export function questionsOf(status: WatchStatus): readonly Question[] {
  const { pending, driftConflicts, diagnostics } = status;
  const waiting = groupBy(pending, ({ reason }) => reason);
  const ofReason = (reason: PendingChange['reason']): readonly PendingChange[] => waiting.get(reason) ?? [];
  const about = (
    cause: Cause,
    of: readonly { readonly address: Address; readonly since?: number }[],
    textOf: (count: number) => string,
    section: Question['section'] = 'action',
  ): Question => ({
    cause,
    count: of.length,
    text: textOf(of.length),
    section,
    addresses: of.map(addressOf),
    since: earliest(of.map((one) => one.since)),
  });
  const waitingFor = (reason: Extract<Cause, PendingChange['reason']>): Question =>
    about(reason, ofReason(reason), (count) => pendingCountText(reason, count));
  const broken = ofReason('plan-error').length > 0 || diagnostics.some(({ severity }) => severity === 'error');
  const [rules, urls] = [brokenRuleCount(status), exposedUrlCount(status)];
  const refused = refusedChanges(status).map(({ scope, since }) => ({ address: scope, since }));
  const stuck = stuckFailures(status).filter((one) => !isRefusedByService(one));
  const all: readonly Question[] = [
    { ...about('rule-broken', status.ruleBreaches, () => counted(rules, 'broken access rule'), 'rules'), count: rules },
    { ...about('exposed', status.exposures, () => counted(urls, 'publicly exposed URL'), 'exposed'), count: urls },
    oneOf(waitingFor('approval')),
    waitingFor('protected'),
    waitingFor('operator-policy'),
    waitingFor('contains-unmanaged'),
    waitingFor('manual'),
    about('unresolved', ofReason('unresolved'), unresolvedCount),
    about(
      'refused',
      refused,
      (count) => pendingCountText('refused', count),
      ofReason('refused').length > 0 ? 'action' : 'failures',
    ),
    about('drift-conflict', driftConflicts, (count) => counted(count, 'drift conflict')),
    {
      cause: 'invalid-manifests',
      count: broken ? 1 : 0,
      text: 'invalid manifests',
      section: 'failures',
      addresses: ofReason('plan-error').map(addressOf),
    },
    ...stuck.map((one) => stuckQuestion(one, status)),
  ];
  const open = all.filter(({ count }) => count > 0);
  // What keeps an approval from being given, or from being applied, comes before what is to be approved.
  const obstacle = approvalObstacle(status);
  if (obstacle === undefined || !needsMending.has(obstacle)) return open;
  const mends = (one: Question): boolean => one.section === 'failures' && one.addresses.length === 0;
  return [...open.filter(mends), ...open.filter((one) => !mends(one))];
}

const needsMending: ReadonlySet<ApprovalObstacle> = new Set([
  'unreadable',
  'state-unusable',
  'no-resources',
  'unsaved',
  'unlocked',
]);

function stuckQuestion(failure: WatchFailure, { resources }: WatchStatus): Question {
  const { scope, since } = failure;
  const isResource = resources.some(({ address }) => address === scope);
  return { ...failureMeaning(failure), count: 1, section: 'failures', addresses: isResource ? [scope] : [], since };
}

function addressOf({ address }: { readonly address: Address }): Address {
  return address;
}

function oneOf(question: Question): Question {
  return { ...question, count: Math.min(1, question.count) };
}

/** The failures of changes that the service refuses; one that is tried again right now is among them. */
export function refusedChanges({ failures }: WatchStatus): readonly WatchFailure[] {
  return failures.filter(isRefusedByService);
}

/** How many access rules are broken. */
export function brokenRuleCount({ ruleBreaches }: WatchStatus): number {
  return new Set(ruleBreaches.map(({ source, rule }) => `${source} ${rule}`)).size;
}

/** How many URLs are public that are not meant to be. */
export function exposedUrlCount({ exposures }: WatchStatus): number {
  return exposures.reduce((sum, { urls }) => sum + urls.length, 0);
}
