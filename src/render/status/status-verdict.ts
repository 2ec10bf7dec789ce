import { counted } from '../../diagnostics/counted.ts';
import type { PendingChange, WatchStatus } from '../../model/watch-status.ts';
import { momentText } from '../text/ages.ts';
import { unresolvedCount } from '../plan/unresolved-text.ts';
import { countSyncStatuses } from './status-words.ts';

/** How the whole of it is to be taken: colour and icon follow. */
export type Tone = 'well' | 'busy' | 'asks' | 'bad' | 'quiet';

/** The first thing an operator reads. */
export interface Verdict {
  readonly tone: Tone;
  readonly headline: string;
  /** A sentence more, where there is one. */
  readonly detail?: string;
}

/** Is it well, what is it doing, does it need me? The one answer that matters most now. */
export function verdictOf(status: WatchStatus): Verdict {
  const { role, applying, looked, lastSuccess, resources, pause } = status;
  if (role === 'stopping') return { tone: 'quiet', headline: 'Stopping', detail: 'The request under way is finished.' };
  if (role === 'standing-by')
    return { tone: 'quiet', headline: 'Standing by', detail: `${status.leader ?? 'Another replica'} leads.` };
  const trouble = troubleVerdict(status);
  if (applying !== undefined && trouble === undefined)
    return { tone: 'busy', headline: `Applying ${counted(applying.total, 'change')}` };
  if (trouble !== undefined) return trouble;
  const asked = questionsOf(status).reduce((sum, { count }) => sum + count, 0);
  if (asked > 0)
    return { tone: 'asks', headline: `${counted(asked, 'decision')} wait${asked === 1 ? 's' : ''} for you` };
  if (pause !== undefined)
    return {
      tone: 'quiet',
      headline: `Paused until ${momentText(pause.until).slice(0, 16).replace('T', ' ')} UTC`,
      ...(pause.reason === undefined ? {} : { detail: pause.reason }),
    };
  if (looked === undefined && lastSuccess === undefined)
    return { tone: 'busy', headline: 'Looking for the first time' };
  const [first] = countSyncStatuses(status);
  if (first === undefined) return { tone: 'well', headline: 'Nothing to keep', detail: 'The manifests are empty.' };
  const [standing, count] = first;
  if (standing === 'in-sync')
    return {
      tone: 'well',
      headline: resources.length === 1 ? 'All is as the manifests say' : `All ${count} are as the manifests say`,
    };
  if (standing === 'drifted') return { tone: 'busy', headline: `${counted(count, 'resource')} drifted` };
  return { tone: 'busy', headline: `${counted(count, 'resource')} not yet as the manifests say` };
}

/** Something only a person can settle. */
export interface Question {
  readonly count: number;
  readonly text: string;
}

/** What only a person can settle; what one approval lets go on is one thing. */
export function questionsOf({ waiting, fights, diagnostics }: WatchStatus): readonly Question[] {
  const waitingFor = (what: PendingChange['for']): number => waiting.filter((one) => one.for === what).length;
  const approvals = waitingFor('approval');
  const broken = waitingFor('manifest') > 0 || diagnostics.some(({ severity }) => severity === 'error');
  return [
    { count: approvals > 0 ? 1 : 0, text: `${counted(approvals, 'change')} to approve` },
    { count: waitingFor('protected'), text: `${counted(waitingFor('protected'), 'change')} to what is protected` },
    { count: waitingFor('switch'), text: `${counted(waitingFor('switch'), 'change')} that watch may not make` },
    { count: waitingFor('resolve'), text: unresolvedCount(waitingFor('resolve')) },
    { count: fights.length, text: `${counted(fights.length, 'fight')} to settle` },
    { count: broken ? 1 : 0, text: 'manifests to mend' },
  ].filter(({ count }) => count > 0);
}

function troubleVerdict(status: WatchStatus): Verdict | undefined {
  const { troubles, diagnostics, resources, conditions } = status;
  const stalled = conditions.find(({ type, status: holds }) => type === 'Stalled' && holds);
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const failed = resources.filter(({ standing }) => standing === 'failed').length;
  const account = troubles.find(({ cause }) => cause === 'account');
  if (account !== undefined) return { tone: 'bad', headline: 'The account cannot be read', detail: account.message };
  const manifests = troubles.find(({ cause }) => cause === 'manifests');
  if (errors > 0 || manifests !== undefined)
    return {
      tone: 'bad',
      headline: 'The manifests cannot be used as they are',
      detail: `${errors > 0 ? `${counted(errors, 'error')}. ` : ''}The last good ones stay in force.`,
    };
  if (failed > 0)
    return { tone: 'bad', headline: `${counted(failed, 'resource')} failed`, detail: 'It is tried again.' };
  if (troubles.length > 0) return { tone: 'bad', headline: 'Something went wrong', detail: troubles[0]?.message ?? '' };
  return stalled !== undefined && questionsOf(status).length === 0
    ? { tone: 'bad', headline: 'Stalled', detail: stalled.message }
    : undefined;
}
