import { counted } from '../../diagnostics/counted.ts';
import { isLasting, stuckFailure } from '../../model/stuck-failure.ts';
import type { PendingChange, WatchFailure, WatchStatus } from '../../model/watch-status.ts';
import { momentText } from '../text/ages.ts';
import { unresolvedCount } from '../plan/unresolved/unresolved-text.ts';
import { countSyncStatuses } from './status-words.ts';

/** The overall health; colour and icon follow from it. */
export type Tone = 'well' | 'busy' | 'asks' | 'bad' | 'quiet';

/** The first thing an operator reads. */
export interface Verdict {
  readonly tone: Tone;
  readonly headline: string;
  /** One more sentence, where there is one. */
  readonly detail?: string;
}

/** The most important fact about the stack now. A pause is never left out. */
export function verdictOf(status: WatchStatus): Verdict {
  const verdict = unpausedVerdict(status);
  const { pause } = status;
  if (pause === undefined || verdict.tone === 'quiet') return verdict;
  return {
    ...verdict,
    detail: [verdict.detail, `${pausedText(status)}.`].filter((one) => one !== undefined).join(' '),
  };
}

function unpausedVerdict(status: WatchStatus): Verdict {
  const { role, applying, lastRefresh, lastSuccess, resources, pause } = status;
  if (role === 'stopping')
    return { tone: 'quiet', headline: 'Stopping', detail: 'The running request completes first.' };
  if (role === 'standby')
    return { tone: 'quiet', headline: 'Standby', detail: `${status.leader ?? 'Another replica'} is the leader.` };
  const failure = failureVerdict(status);
  const asked = questionsOf(status);
  const questions = asked.map(({ text }) => text).join(', ');
  if (applying !== undefined && failure === undefined)
    return {
      tone: 'busy',
      headline: `Applying ${counted(applying.total, 'change')}`,
      ...(questions === '' ? {} : { detail: `Action required: ${questions}.` }),
    };
  if (failure !== undefined) return failure;
  const open = accessVerdict(status);
  if (open !== undefined) return open;
  if (questions !== '') return { tone: 'asks', headline: questions };
  if (pause !== undefined)
    return {
      tone: 'quiet',
      headline: pausedText(status),
      ...(pause.reason === undefined ? {} : { detail: pause.reason }),
    };
  if (lastRefresh === undefined && lastSuccess === undefined)
    return { tone: 'busy', headline: 'First refresh is running' };
  const unknown = status.conditions.find(({ type, status: is }) => type === 'Ready' && is === 'Unknown');
  if (unknown !== undefined) return { tone: 'busy', headline: 'New revision', detail: unknown.message };
  const [first] = countSyncStatuses(status);
  if (first === undefined) return { tone: 'well', headline: 'No resources', detail: 'The manifests are empty.' };
  const [syncStatus, count] = first;
  if (syncStatus === 'in-sync')
    return {
      tone: 'well',
      headline: resources.length === 1 ? 'In sync' : `All ${count} resources in sync`,
    };
  if (syncStatus === 'drifted') return { tone: 'busy', headline: `${counted(count, 'resource')} drifted` };
  return { tone: 'busy', headline: `${counted(count, 'resource')} out of sync` };
}

function pausedText({ pause }: WatchStatus): string {
  return pause?.until === undefined
    ? 'Paused until it is resumed'
    : `Paused until ${momentText(pause.until).slice(0, 16).replace('T', ' ')} UTC`;
}

/** Something that only a person can resolve. */
export interface Question {
  readonly count: number;
  readonly text: string;
  /** The section of the page with the details. */
  readonly section: 'rules' | 'exposed' | 'action' | 'failures';
}

/** Everything that only a person can resolve; all changes of one approval count as one. */
export function questionsOf(status: WatchStatus): readonly Question[] {
  const { pending, driftConflicts, diagnostics } = status;
  const pendingFor = (what: PendingChange['reason']): number => pending.filter((one) => one.reason === what).length;
  const approvals = pendingFor('approval');
  const broken = pendingFor('invalid-manifest') > 0 || diagnostics.some(({ severity }) => severity === 'error');
  const [rules, urls] = [brokenRules(status), exposedUrls(status)];
  const refused = refusedChanges(status).length;
  const stuck = refused > 0 ? undefined : stuckFailure(status);
  const action = (count: number, text: string): Question => ({ count, text, section: 'action' });
  const all: readonly Question[] = [
    { count: rules, text: counted(rules, 'broken access rule'), section: 'rules' },
    { count: urls, text: counted(urls, 'publicly exposed URL'), section: 'exposed' },
    action(approvals > 0 ? 1 : 0, `${counted(approvals, 'change')} pending approval`),
    action(pendingFor('protected'), `${counted(pendingFor('protected'), 'change')} to protected resources`),
    action(pendingFor('manual'), `${counted(pendingFor('manual'), 'change')} not automated by sluice.yaml`),
    action(pendingFor('unresolved'), unresolvedCount(pendingFor('unresolved'))),
    {
      count: refused,
      text: `${counted(refused, 'change')} refused by the service`,
      section: pendingFor('refused') > 0 ? 'action' : 'failures',
    },
    action(driftConflicts.length, counted(driftConflicts.length, 'drift conflict')),
    { count: broken ? 1 : 0, text: 'invalid manifests', section: 'failures' },
    { count: stuck === undefined ? 0 : 1, text: 'failure that retries do not resolve', section: 'failures' },
  ];
  return all.filter(({ count }) => count > 0);
}

/** The failures of changes that the service refuses; one that is tried again right now is among them. */
function refusedChanges({ failures }: WatchStatus): readonly WatchFailure[] {
  return failures.filter((failure) => failure.status !== undefined && isLasting(failure));
}

function brokenRules({ ruleBreaches }: WatchStatus): number {
  return new Set(ruleBreaches.map(({ source, rule }) => `${source} ${rule}`)).size;
}

function exposedUrls({ exposures }: WatchStatus): number {
  return exposures.reduce((sum, { urls }) => sum + urls.length, 0);
}

/** Somebody can reach what they must not. */
function accessVerdict(status: WatchStatus): Verdict | undefined {
  const [rules, urls] = [brokenRules(status), exposedUrls(status)];
  const [breach] = status.ruleBreaches;
  const [exposure] = status.exposures;
  if (breach !== undefined)
    return {
      tone: 'bad',
      headline: `${counted(rules, 'access rule is', 'access rules are')} broken`,
      detail: breach.request ?? breach.message,
    };
  if (exposure === undefined) return undefined;
  return {
    tone: 'bad',
    headline: `${counted(urls, 'URL is', 'URLs are')} publicly exposed`,
    detail: exposure.message,
  };
}

function failureVerdict(status: WatchStatus): Verdict | undefined {
  const { failures, diagnostics, resources } = status;
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const failed = resources.filter(({ syncStatus }) => syncStatus === 'failed').length;
  const account = failures.find(({ scope }) => scope === 'account');
  if (account !== undefined) return { tone: 'bad', headline: 'The account cannot be read', detail: account.message };
  const manifests = failures.find(({ scope }) => scope === 'manifests');
  if (errors > 0 || manifests !== undefined)
    return {
      tone: 'bad',
      headline: 'Invalid manifests',
      detail: `${errors > 0 ? `${counted(errors, 'error')}. ` : ''}The last valid revision stays active.`,
    };
  const [refusal, ...further] = refusedChanges(status);
  if (refusal !== undefined)
    return {
      tone: 'bad',
      headline: `The service refuses ${counted(further.length + 1, 'change')}`,
      detail: `Retries do not help. ${refusal.message}`,
    };
  if (failed > 0)
    return { tone: 'bad', headline: `${counted(failed, 'resource')} failed`, detail: 'sluice retries them.' };
  const [first] = failures;
  return first === undefined ? undefined : { tone: 'bad', headline: 'Error', detail: first.message };
}
