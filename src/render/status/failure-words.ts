import { failedSubject, isOfState } from '../../model/status/failed-subject.ts';
import type { KeptVersions, WatchFailure } from '../../model/status/watch-status.ts';
import type { Cause } from './status-causes.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { listSome } from '../../plan/warnings/list-some.ts';

/** What a failure means for the stack: its cause among those of a stack, and in words, as a part of a sentence. */
export interface FailureMeaning {
  readonly cause: Cause;
  readonly text: string;
}

// Failures whose code is more specific than their scope.
const byCode: Readonly<Record<string, FailureMeaning>> = {
  ACCESS_DENIED: { cause: 'access-denied', text: 'API key refused by the service' },
  MANY_RESOURCES_MISSING: { cause: 'account-unreadable', text: 'most resources are missing from the account' },
  RESTART_REQUIRED: { cause: 'manifests-unreadable', text: 'sluice watch must be restarted for a changed setting' },
  NO_RESOURCES_DEFINED: { cause: 'manifests-unreadable', text: 'the manifests contain no resources' },
  WATCH_STATE_UNREADABLE: { cause: 'state-unusable', text: 'the watch state cannot be read' },
};

const byScope: Readonly<Record<string, FailureMeaning>> = {
  account: { cause: 'account-unreadable', text: 'the account cannot be read' },
  manifests: { cause: 'manifests-unreadable', text: 'the manifests cannot be read' },
  'watch-state': { cause: 'state-unusable', text: 'the watch state cannot be written' },
  requests: { cause: 'state-unusable', text: 'the pauses and approvals cannot be read' },
  lock: { cause: 'state-unusable', text: 'the lock cannot be taken' },
};

/** The text of a failure, for all outputs: it always names its subject. */
export function failureMeaning(failure: Pick<WatchFailure, 'scope' | 'code'>): FailureMeaning {
  if (isOfState(failure)) return { cause: 'state-unusable', text: 'the state cannot be used' };
  return byCode[failure.code] ?? byScope[failure.scope] ?? { cause: 'error', text: `${failure.scope} failed` };
}

/** A text that is part of a sentence, as a headline. */
export function asHeadline(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A failure with its subject, as a sentence without its end. */
export function failureText(failure: WatchFailure): string {
  return `${failedSubject(failure)}: ${failure.message}`;
}

/** What keeps its last valid version because of errors in the manifests; undefined: not known. */
export function keptVersionsText(kept: KeptVersions | undefined): string {
  if (kept === undefined) return 'every resource that an error may concern keeps its last valid version';
  const { isAll, addresses } = kept;
  if (isAll && addresses.length === 0)
    return 'an error may concern any resource, and there is no valid version, so nothing is applied';
  if (isAll)
    return 'an error may concern any resource, so all keep their last valid version and nothing new is applied';
  return addresses.length === 0
    ? 'nothing is deleted'
    : `nothing is deleted, and ${listSome(addresses)} ${addresses.length === 1 ? 'keeps its' : 'keep their'} last valid version`;
}

/** That manifests have errors, and what that keeps as it was. */
export function invalidManifestsText(kept: KeptVersions | undefined): string {
  return `manifests have errors${keptBecauseOf(kept)}; ${keptVersionsText(kept)}`;
}

function keptBecauseOf(kept: KeptVersions | undefined): string {
  return kept === undefined || kept.files.length === 0
    ? ''
    : ` (${listSome(kept.files.map((file) => safeText(file, 200)))})`;
}
