import { counted, countedAre } from '../../diagnostics/counted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { hasDrifted, isEmptyPlan, type Action, type Plan } from '../../model/plan/plan.ts';
import type { NotApprovable } from '../../plan/why-not-approvable.ts';
import { unverifiedSecrets } from '../../plan/warnings/unverified-secrets.ts';
import { countActions } from './action-words.ts';
import { durationShort, momentText } from '../text/ages.ts';
import type { PlanJson } from './plan-json-schema.ts';
import { unresolvedCount } from './unresolved-creations.ts';

/** How many changes a plan has, by action, and what else is counted of it. */
export function planNumbers({ changes, steps, unresolved, gapMs }: Plan): PlanJson['summary'] {
  const count = (...actions: Action[]): number => changes.filter(({ action }) => actions.includes(action)).length;
  return {
    create: count('create'),
    update: count('update'),
    replace: count('replace-create-first', 'replace-delete-first'),
    delete: count('delete'),
    adopt: count('adopt'),
    forget: count('forget'),
    write_file: count('write-file'),
    record: count('record'),
    unchanged: count('none'),
    blocked: changes.filter(({ blocked }) => blocked !== undefined).length,
    drifted: changes.filter(hasDrifted).length,
    unresolved_creations: unresolved.length,
    unverified_secrets: unverifiedSecrets({ changes }).length,
    requests: steps.length,
    ...(gapMs === undefined ? {} : { estimated_seconds: Math.ceil((steps.length * gapMs) / 1000) }),
  };
}

/** The summary of a plan, in one line: `3 to create, 2 to delete; 5 API requests`. */
export function planSummary(plan: Plan): string {
  const numbers = planNumbers(plan);
  const unresolved = unresolvedCount(numbers.unresolved_creations);
  const hidden = numbers.unverified_secrets;
  const what =
    plan.snapshot === undefined
      ? counted(hidden, 'secret')
      : counted(
          hidden,
          'secret or value from the environment or a file',
          'secrets and values from the environment or files',
        );
  const unverified = hidden === 0 ? '' : ` ${what} not verified.`;
  return `${unresolved === '' ? '' : `${unresolved}. `}${changesSummary(plan, numbers)}${unverified}`;
}

function changesSummary(
  plan: Plan,
  { unchanged, blocked, drifted, requests, unverified_secrets: unverified }: PlanJson['summary'],
): string {
  // If a snapshot lacks values, it is unknown whether something changes.
  if (isEmptyPlan(plan) && plan.snapshot !== undefined && unverified > 0)
    return `No changes compared with the snapshot: ${counted(unchanged, 'resource')} in sync.`;
  if (isEmptyPlan(plan))
    return `No changes. ${unchanged === 0 ? whyNothing(plan) : `${counted(unchanged, 'resource')} in sync`}.`;
  return [
    countActions(
      plan.changes.filter(({ action }) => action !== 'none'),
      'toDo',
    ),
    `; ${requestsEstimate(requests, plan.gapMs)}`,
    plan.files.length === 0 ? '' : `; ${counted(plan.files.length, 'file')}`,
    drifted === 0 ? '' : `; ${drifted} drifted`,
    unchanged === 0 ? '' : `; ${unchanged} unchanged`,
    blocked === 0 ? '' : `; ${blocked} blocked, so the plan cannot be applied`,
    '.',
  ].join('');
}

function whyNothing({ complete, destroying }: Plan): string {
  if (!complete) return 'No resource is selected';
  return destroying === true ? 'The stack has no resources' : 'The manifests are empty, and the stack has no resources';
}

/** The number of requests, and their duration at the rate limit of the service: `7 API requests, about 4 s at this rate limit`. */
export function requestsEstimate(requests: number, gapMs: number | undefined): string {
  const count = counted(requests, 'API request');
  if (gapMs === undefined || requests === 0) return count;
  return `${count}, about ${spanText(Math.ceil((requests * gapMs) / 1000))} at this rate limit`;
}

function spanText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** What a plan from a snapshot was made from, how old that is, and what it does not show; empty for other plans. */
export function snapshotLine({ snapshot, now }: Plan): string {
  if (snapshot === undefined) return '';
  const { takenAt, revision } = snapshot;
  const taken = Date.parse(takenAt);
  const age = now === undefined ? '' : `, ${durationShort(now - taken)} old`;
  const commit = revision === undefined ? '' : `, commit ${safeText(revision.slice(0, 12))}`;
  return `Planned from a snapshot of ${momentText(taken)}${age}${commit}: secrets, and values from the environment or files, are not compared.`;
}

const notApprovableTexts: Readonly<Record<NotApprovable['code'], (count: number) => string>> = {
  FROM_SNAPSHOT: () => 'the plan was made from a snapshot',
  TARGETED: () => 'the plan is a targeted plan',
  BLOCKED: (count) => `${countedAre(count, 'change')} blocked`,
  ACCESS_RULE_BROKEN: (count) => `${countedAre(count, 'access rule')} broken`,
  UNVERIFIED_SECRETS: (count) => `${counted(count, 'secret')} cannot be verified`,
  VALUES_UNAVAILABLE: (count) => `${countedAre(count, 'value')} not available`,
  UNRESOLVED_CREATIONS: (count) => `${counted(count, 'creation')} of an earlier run must be resolved`,
};

/** Why no digest approves a plan, in words: `1 change is blocked`. */
export function notApprovableText({ code, count }: NotApprovable): string {
  return notApprovableTexts[code](count);
}
