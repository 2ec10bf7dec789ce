import { counted, countedAre } from '../../diagnostics/counted.ts';
import { placeText } from '../../diagnostics/diagnostic.ts';
import { isOnStandby } from '../../model/status/on-standby.ts';
import type { WatchFailure, WatchStatus } from '../../model/status/watch-status.ts';
import { momentText } from '../text/ages.ts';
import { asHeadline, failureMeaning, failureText, keptVersionsText } from './failure-words.ts';
import { runningProgress } from './status-activity.ts';
import { toneOf, type Cause, type Tone } from './status-causes.ts';
import { brokenRuleCount, exposedUrlCount, questionsOf, refusedChanges } from './status-questions.ts';
import { sluiceCommand } from './sluice-command.ts';
import { countSyncStatuses } from './status-words.ts';

/** The first line for an operator. */
export interface Verdict {
  readonly cause: Cause;
  readonly tone: Tone;
  readonly headline: string;
  readonly detail?: string;
}

/** A verdict; its tone follows from its cause. */
export function verdict(cause: Cause, headline: string, detail?: string): Verdict {
  return { cause, tone: toneOf(cause), headline, ...(detail === undefined || detail === '' ? {} : { detail }) };
}

/** The most important fact about the stack now. A pause comes first: nothing is applied while it lasts. */
export function verdictOf(status: WatchStatus): Verdict {
  const found = unpausedVerdict(status);
  if (status.pause === undefined || found.tone === 'quiet') return found;
  const below = [`${found.headline}.`, found.detail].filter((one) => one !== undefined).join(' ');
  return verdict(found.cause, pausedText(status), `${pauseDetail(status)} Status apart from the pause: ${below}`);
}

function unpausedVerdict(status: WatchStatus): Verdict {
  const { role, applying, lastRefresh, lastSuccess, resources, pause } = status;
  if (role === 'stopping') return verdict('stopping', 'Stopping', 'sluice waits for the running request.');
  if (isOnStandby(status)) return standbyVerdict(status);
  const failure = failureVerdict(status);
  const asked = questionsOf(status);
  const [question] = asked;
  const questions = asked.map(({ text }) => text).join(', ');
  if (failure !== undefined) return failure;
  if (applying !== undefined)
    return verdict(
      question?.cause ?? 'applying',
      `Applying ${counted(applying.changes.length, 'change')}`,
      questions === '' ? undefined : `Action required: ${questions}.`,
    );
  const open = accessVerdict(status);
  if (open !== undefined) return open;
  if (question !== undefined) return verdict(question.cause, questions);
  if (pause !== undefined) return verdict('paused', pausedText(status), pauseDetail(status));
  if (lastRefresh === undefined && lastSuccess === undefined) return verdict('starting', 'First refresh is running');
  const unknown = status.conditions.find(({ type, status: is }) => type === 'Ready' && is === 'Unknown');
  if (unknown !== undefined) return verdict('refreshing', 'New revision', unknown.message);
  const [first] = countSyncStatuses(status);
  if (first === undefined) return verdict('in-sync', 'No resources', 'The manifests are empty.');
  const [syncStatus, count] = first;
  if (syncStatus === 'in-sync')
    return verdict('in-sync', resources.length === 1 ? 'In sync' : `All ${count} resources in sync`);
  const what = syncStatus === 'drifted' ? 'drifted' : 'out of sync';
  return verdict('out-of-sync', `${counted(count, 'resource')} ${what}`);
}

function standbyVerdict({ leader, leaderRecorded }: WatchStatus): Verdict {
  const who = `${leader ?? 'Another replica'} is the leader.`;
  if (leaderRecorded === undefined) return verdict('standby', 'Standby', who);
  const { ready, asked } = leaderRecorded;
  const wants = asked.length === 0 ? 'No action required' : `Action required: ${asked.join(', ')}`;
  return verdict('standby', 'Standby', `${who} Last recorded by the leader: ${ready.message}. ${wants}.`);
}

function pausedText({ pause }: WatchStatus): string {
  return pause?.until === undefined
    ? 'Paused with no end time'
    : `Paused until ${momentText(pause.until).slice(0, 16).replace('T', ' ')} UTC`;
}

function pauseDetail({ dir, pause: { by, reason } = {} }: WatchStatus): string {
  const who = by === undefined ? '' : `Paused by ${by}`;
  const why = reason === undefined ? who : `${who === '' ? 'Reason' : who}: ${reason}`;
  return `${why === '' ? '' : `${why}. `}No \`sluice watch\` process applies changes to this stack during the pause; approved changes are applied after the pause ends. To resume now, run \`${sluiceCommand(dir, ['resume'])}\`.`;
}

function accessVerdict(status: WatchStatus): Verdict | undefined {
  const [rules, urls] = [brokenRuleCount(status), exposedUrlCount(status)];
  const [breach] = status.ruleBreaches;
  const [exposure] = status.exposures;
  if (breach !== undefined) return verdict('rule-broken', `${countedAre(rules, 'access rule')} broken`, breach.message);
  if (exposure === undefined) return undefined;
  return verdict('exposed', `${countedAre(urls, 'URL')} publicly exposed`, exposure.message);
}

function failureVerdict(status: WatchStatus): Verdict | undefined {
  const { failures, diagnostics, applying } = status;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const account = failures.find(({ scope }) => scope === 'account');
  if (account !== undefined) return verdictOn(account);
  if (errors.length > 0)
    return verdict(
      'invalid-manifests',
      'Invalid manifests',
      `${errorsText(errors)}. ${asHeadline(keptVersionsText(status.kept))}.`,
    );
  const manifests = failures.find(({ scope }) => scope === 'manifests');
  if (manifests !== undefined) return verdictOn(manifests, stays);
  const change = changeFailure(status);
  if (change === undefined || applying === undefined) return change;
  const { failed, total } = runningProgress(applying);
  const still = `Applying ${counted(total, 'change')}${failed === 0 ? '' : `, ${failed} failed`}`;
  return { ...change, headline: still, detail: `${change.headline}. ${change.detail ?? ''}`.trim() };
}

function verdictOn(failure: WatchFailure, then?: string): Verdict {
  const { cause, text } = failureMeaning(failure);
  return verdict(cause, asHeadline(text), then === undefined ? failure.message : `${failure.message}. ${then}`);
}

const stays = 'The last valid revision stays active.';

function errorsText(errors: WatchStatus['diagnostics']): string {
  const place = errors.find((one) => one.place !== undefined)?.place;
  const at = place === undefined ? '' : `${errors.length === 1 ? '' : ', the first'} at ${placeText(place)}`;
  return `${counted(errors.length, 'error')}${at}`;
}

/** What of the changes failed: first what the service refuses, whatever is tried. */
function changeFailure(status: WatchStatus): Verdict | undefined {
  const [refusal, ...further] = refusedChanges(status);
  if (refusal !== undefined)
    return verdict('refused', `The service refuses ${counted(further.length + 1, 'change')}`, failureText(refusal));
  const failed = status.resources.filter(({ syncStatus }) => syncStatus === 'failed').length;
  const [first] = status.failures;
  if (failed > 0) return verdict('failed', `${counted(failed, 'resource')} failed`, first && failureText(first));
  return first && verdictOn(first);
}
