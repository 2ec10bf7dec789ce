import type { ApplyRecord, Revision, PendingChange, WatchStatus } from '../../model/watch-status.ts';
import { diagnosticJson } from '../diagnostics/diagnostic-json.ts';
import type { StatusJson } from './status-json-schema.ts';
import { countSyncStatuses } from './status-words.ts';

/** A value whose fields may be undefined, which JSON leaves out. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Loose<T[Name]> | (undefined extends T[Name] ? undefined : never) }
    : T;

const mostApplies = 50;

/** A status as a value for JSON. Whatever it says has been made safe of secrets by those who say it. */
export function statusJson(status: WatchStatus): Loose<StatusJson> {
  const { pause, applying } = status;
  return {
    format_version: '1.0',
    version: status.version,
    stack: { name: status.stack.name, id: status.stack.id },
    time: rfc3339(status.now),
    began: rfc3339(status.began),
    role: status.role,
    leader: status.leader,
    pause: pause === undefined ? undefined : { until: rfc3339(pause.until), reason: pause.reason },
    conditions: status.conditions.map((one) => ({ ...one, since: rfc3339(one.since) })),
    revision: revisionJson(status.revision),
    in_force: revisionJson(status.inForce),
    last_success: maybe(status.lastSuccess),
    looked: maybe(status.looked),
    next: maybe(status.next),
    summary: Object.fromEntries(countSyncStatuses(status)),
    resources: status.resources.map(({ address, kind, standing, note, needs, source, expiresAt }) => ({
      address,
      kind,
      standing,
      note,
      needs,
      source,
      expires_at: maybe(expiresAt),
    })),
    waiting: status.waiting.map(waitingJson),
    approve: status.approve,
    applying: applying === undefined ? undefined : { ...applying, began: rfc3339(applying.began) },
    applies: status.history.slice(0, mostApplies).map(applyJson),
    fights: status.fights.map((one) => ({ ...one, since: rfc3339(one.since) })),
    troubles: status.troubles.map(({ since, nextTry, ...one }) => ({
      ...one,
      since: rfc3339(since),
      next_try: maybe(nextTry),
    })),
    diagnostics: status.diagnostics.map(diagnosticJson),
  };
}

function waitingJson({
  address,
  action,
  for: what,
  why,
  hazards,
  since,
  until,
}: PendingChange): Loose<StatusJson['waiting'][number]> {
  return {
    address,
    action,
    waits_for: what,
    why,
    hazards: hazards.map(({ code, address: at, message, momentary }) => ({ code, address: at, message, momentary })),
    since: rfc3339(since),
    until: maybe(until),
  };
}

function applyJson(record: ApplyRecord): Loose<StatusJson['applies'][number]> {
  const { began, ended, why, revision, digest, outcome, requests, plan } = record;
  return {
    began: rfc3339(began),
    ended: rfc3339(ended),
    why,
    revision: revisionJson(revision),
    digest,
    changes: outcome.map(({ address, action, ending, id, message, because, code, status }) => ({
      address,
      action,
      outcome: ending,
      id,
      message,
      because,
      code,
      status,
    })),
    requests,
    plan,
  };
}

function revisionJson(revision: Revision | undefined): Loose<StatusJson['revision']> {
  if (revision === undefined) return undefined;
  const { content, commit, branch, subject } = revision;
  return { content, commit, branch, subject };
}

function maybe(time: number | undefined): string | undefined {
  return time === undefined ? undefined : rfc3339(time);
}

function rfc3339(time: number): string {
  return new Date(time).toISOString();
}
