import { approvalObstacle } from '../../model/status/approval-obstacle.ts';
import { keptRecord } from '../../model/status/kept-record.ts';
import type { Address } from '../../model/address.ts';
import type {
  ApplyRecord,
  ApprovalRecord,
  ApplyStart,
  Condition,
  PendingChange,
  Revision,
  RunningApply,
  WatchStatus,
} from '../../model/status/watch-status.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { diagnosticJson, placeJson } from '../diagnostics/diagnostic-json.ts';
import { changeOutcomeJson } from '../outcome/outcome-json.ts';
import { pendingText, stillOpenTexts } from './pending-words.ts';
import { activityOf, activityText, runningProgress, type Activity, type RunningProgress } from './status-activity.ts';
import type { StatusJson } from './status-json-schema.ts';
import { searchOf, selectResources, statusQuery } from './status-query.ts';
import { questionsOf } from './status-questions.ts';
import { countSyncStatuses } from './status-words.ts';

/** A value whose fields may be undefined, which JSON omits. */
export type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Loose<T[Name]> | (undefined extends T[Name] ? undefined : never) }
    : T;

const mostApplies = 50;
const mostPlans = 10;
const perPage = 1_000;
// The differences of further changes and failures are in the answers for their addresses.
const mostDetails = 100;

/**
 * A status as a value for JSON: all of it, with one page of the resources that a query asks for; or, of a query with an
 * `address`, what concerns this resource. Secrets have been masked by whoever made the texts in it.
 */
export function statusJson(whole: WatchStatus, search = ''): Loose<StatusJson> {
  const address = new URLSearchParams(search).get('address');
  const status = address === null ? whole : statusOf(address, whole);
  const { awaited, leaderRecorded: recorded, pause } = status;
  const access = awaited?.access;
  const query = statusQuery(search);
  const { shown, total, page, pages } = selectResources(status.resources, query, perPage);
  return {
    format_version: '1.0',
    version: status.version,
    stack: { name: status.stack.name, id: status.stack.id },
    directory: status.dir,
    time: rfc3339(status.now),
    start_time: rfc3339(status.startedAt),
    role: status.role,
    leader: status.leader,
    leader_url: status.leaderUrl,
    leader_heartbeat: optionalMoment(status.leaderHeartbeat),
    leader_recorded: recorded && { ready: conditionJson(recorded.ready), action_required: recorded.asked },
    pause: pause && {
      until: optionalMoment(pause.until),
      start_time: optionalMoment(pause.at),
      by: pause.by,
      reason: pause.reason,
    },
    activity: activityJson(activityOf(status)),
    conditions: status.conditions.map(conditionJson),
    action_required: questionsOf(whole).map(({ count, text }) => ({ count, summary: text })),
    revision: revisionJson(status.revision),
    last_good_revision: revisionJson(status.lastGood),
    observed_revision: revisionJson(status.observed),
    applied_revision: revisionJson(status.applied),
    last_success: optionalMoment(status.lastSuccess),
    last_refreshed: optionalMoment(status.lastRefresh),
    next_refresh: optionalMoment(status.nextRefresh),
    summary: Object.fromEntries(countSyncStatuses(whole)),
    resources_total: total,
    next_page: page < pages ? `status.json${searchOf(query, page + 1)}` : undefined,
    resources: shown.map(({ address, kind, syncStatus, note, source, expiresAt, ...one }) => ({
      address,
      kind,
      sync_status: syncStatus,
      note,
      depends_on: one.dependsOn,
      added_dependencies: one.addedDependencies,
      removed_dependencies: one.removedDependencies,
      source,
      expires_at: optionalMoment(expiresAt),
    })),
    pending_total: status.pending.length,
    pending: status.pending.slice(0, perPage).map((one, index) => pendingJson(one, index < mostDetails)),
    approval_digest: awaited?.digest,
    approval_plan: awaited?.plan,
    approval_summary: awaited && {
      ...awaited.summary,
      follows: awaited.follows.slice(0, perPage).map(({ action, address }) => ({ action, address })),
    },
    approval_access: access && { compared: access.rows, omitted: access.omitted },
    approval_obstacle: awaited && approvalObstacle(status),
    approval_given: status.approvalGiven && approvalJson(status.approvalGiven),
    approval_ways: status.approvalWays,
    refused_approval: status.refusedApproval,
    applying: applyingJson(status.applying),
    applies: status.history.slice(0, mostApplies).map((one, index) => applyJson(one, index < mostPlans)),
    exposures_total: status.exposures.length,
    exposures: status.exposures.slice(0, perPage).map(({ address, message, urls }) => ({ address, message, urls })),
    exposure_total: status.exposure?.rows.length,
    exposure: status.exposure?.rows
      .slice(0, perPage)
      .map(({ audience, ...row }) => ({ ...row, public: audience === 'public' })),
    addresses_total: status.exposure?.addresses?.length,
    addresses: status.exposure?.addresses
      ?.slice(0, perPage)
      .map(({ at, resource, who }) => ({ address: resource, at, who })),
    rule_breaches_total: status.ruleBreaches.length,
    rule_breaches: status.ruleBreaches.slice(0, perPage).map(({ source, place, rulePlace, ...one }) => ({
      ...one,
      set_by: source,
      source: place && placeJson(place),
      rule_source: rulePlace && placeJson(rulePlace),
    })),
    drift_conflicts_total: status.driftConflicts.length,
    drift_conflicts: status.driftConflicts
      .slice(0, perPage)
      .map(({ hasSecret: _, ...one }) => ({ ...one, since: rfc3339(one.since) })),
    failures_total: status.failures.length,
    failures: status.failures.slice(0, perPage).map(({ since, nextAttempt, details, ...one }, index) => ({
      ...one,
      details: index < mostDetails ? details : undefined,
      since: rfc3339(since),
      next_attempt: optionalMoment(nextAttempt),
    })),
    diagnostics_total: status.diagnostics.length,
    diagnostics: status.diagnostics.toSorted(errorsFirst).slice(0, perPage).map(diagnosticJson),
  };
}

function errorsFirst(a: Diagnostic, b: Diagnostic): number {
  return Number(b.severity === 'error') - Number(a.severity === 'error');
}

function statusOf(address: Address, status: WatchStatus): WatchStatus {
  const isOfIt = (one: { readonly address?: Address }): boolean => one.address === address;
  const { awaited: _, refusedApproval: _refused, exposure, ...facts } = status;
  return {
    ...facts,
    resources: status.resources.filter(isOfIt),
    pending: status.pending.filter(isOfIt),
    history: status.history.filter(({ outcome }) => outcome.some(isOfIt)),
    driftConflicts: status.driftConflicts.filter(isOfIt),
    exposures: status.exposures.filter(isOfIt),
    ruleBreaches: status.ruleBreaches.filter(isOfIt),
    failures: status.failures.filter(({ scope }) => scope === address),
    diagnostics: status.diagnostics.filter(isOfIt),
    ...(exposure === undefined
      ? {}
      : {
          exposure: {
            ...exposure,
            rows: exposure.rows.filter(({ edge, route }) => edge === address || route === address),
            addresses: (exposure.addresses ?? []).filter(({ resource }) => resource === address),
          },
        }),
  };
}

function pendingJson(change: PendingChange, isDetailed: boolean): Loose<StatusJson['pending'][number]> {
  const { address, action, reason, waitsFor, message, cause, introduced, hazards, details, fields, since, until } =
    change;
  return {
    address,
    action,
    reason,
    summary: pendingText(change),
    waits_for: waitsFor,
    message,
    cause,
    introduced_by: revisionJson(introduced?.revision),
    introduced_earlier: introduced === undefined ? undefined : !introduced.isExact,
    hazards: hazards.map(({ code, address, message, temporary }) => ({ code, address, message, temporary })),
    still_open: stillOpenTexts(hazards),
    details: isDetailed ? details : undefined,
    fields: (isDetailed ? fields : []).map(({ pointer, desired, actual }) => ({ pointer, desired, actual })),
    since: rfc3339(since),
    retry_at: optionalMoment(until),
  };
}

function applyingJson(applying: RunningApply | undefined): Loose<StatusJson['applying']> {
  if (applying === undefined) return undefined;
  const { changes } = applying;
  return {
    ...applyStartJson(applying),
    ...runningProgress(applying),
    changes: changes.slice(0, perPage).map(({ address, action, progress, details, failedDependency }, index) => ({
      address,
      action,
      progress,
      details: index < mostDetails ? details : undefined,
      failed_dependency: failedDependency,
    })),
  };
}

function applyStartJson(
  start: ApplyStart,
): Omit<NonNullable<Loose<StatusJson['applying']>>, keyof RunningProgress | 'changes'> {
  const { startedAt, trigger, isRequested, revision, digest, approvals } = start;
  return {
    start_time: rfc3339(startedAt),
    trigger,
    requested: isRequested,
    revision: revisionJson(revision),
    digest,
    approvals: approvals.map(approvalJson),
  };
}

function approvalJson({ digest, by, at, reason }: ApprovalRecord): NonNullable<Loose<StatusJson['approval_given']>> {
  return { digest, by, time: rfc3339(at), reason };
}

function conditionJson(condition: Condition): Loose<StatusJson['conditions'][number]> {
  return { ...condition, since: rfc3339(condition.since) };
}

/** What a watch does now, as JSON. */
export function activityJson(activity: Activity): Loose<StatusJson['activity']> {
  const { type, progress, changes, holder, until } = activity;
  return { type, summary: activityText(activity), ...progress, changes, holder, until: optionalMoment(until) };
}

function applyJson(record: ApplyRecord, hasPlan: boolean): Loose<StatusJson['applies'][number]> {
  const { finishedAt, outcome, omitted, requests, plan } = keptRecord(record, perPage);
  return {
    ...applyStartJson(record),
    end_time: rfc3339(finishedAt),
    changes: outcome.map(changeOutcomeJson),
    omitted: omitted?.map(({ ending, ...one }) => ({ ...one, outcome: ending })),
    requests,
    plan: hasPlan ? plan : undefined,
  };
}

/** A revision as JSON. */
export function revisionJson(revision: Revision | undefined): Loose<StatusJson['revision']> {
  if (revision === undefined) return undefined;
  const { content, commit, isUncommitted, branch, subject } = revision;
  return { content, commit, uncommitted_changes: isUncommitted, branch, subject };
}

/** A moment as JSON, where there is one. */
export function optionalMoment(time: number | undefined): string | undefined {
  return time === undefined ? undefined : rfc3339(time);
}

/** A moment as JSON. */
export function rfc3339(time: number): string {
  return new Date(time).toISOString();
}
