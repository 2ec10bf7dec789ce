import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { accessEffects } from '../model/exposure/access-comparison.ts';
import type { Address } from '../model/address.ts';
import type { ChangeOutcome } from '../model/outcome.ts';
import {
  applyTriggers,
  changeCauses,
  conditionStatuses,
  type ChangeCause,
  type ApplyRecord,
  type ApprovalRecord,
  type AwaitedApproval,
  type RecordedStatus,
  type Revision,
} from '../model/status/watch-status.ts';
import { Refused, StateError } from '../diagnostics/errors.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { keptRecord } from '../model/status/kept-record.ts';
import { isPageUrl } from '../model/is-page-url.ts';
import type { KeptDocument } from '../state/backend.ts';
import { runAgain } from '../state/lock-hint.ts';
import type { UsedApprovals } from './decide/used-approvals.ts';
import type { DriftRepairs } from './decide/drift-conflicts.ts';
import { keptPause, latestPause, type KeptPause } from './pause-request.ts';
import { parsedJson } from '../model/json-object.ts';

const repair = z.object({
  at: z.array(z.number()),
  conflictSince: z.number().optional(),
  wanted: z.string().optional(),
});

// There may be many: a schema of each takes ten times as long.
const outcome = z.custom<ChangeOutcome>(isOutcome);

const approval = z.object({ digest: z.string(), by: z.string(), at: z.number(), reason: z.string().optional() });

const revision = z.looseObject({ content: z.string() });

const record = z.object({
  startedAt: z.number(),
  finishedAt: z.number(),
  trigger: z.enum(applyTriggers),
  isRequested: z.literal(true).optional(),
  revision: revision.optional(),
  digest: z.string(),
  approvals: z.array(approval),
  outcome: z.array(outcome),
  omitted: z.array(z.object({ action: z.string(), ending: z.string(), count: z.number() })).optional(),
  requests: z.number(),
  plan: z.string(),
});

const side = z.object({ audience: z.string(), who: z.string() });

const access = z.object({
  rows: z.array(
    z.object({ effect: z.enum(accessEffects), urls: z.array(z.string()), total: z.number(), now: side, after: side }),
  ),
  omitted: z.number(),
});

const awaited = z.object({
  digest: z.string(),
  plan: z.string(),
  summary: z.object({
    changes: z.array(z.object({ action: z.string(), kind: z.string(), count: z.number() })),
    hazards: z.array(z.object({ code: z.string(), count: z.number() })),
  }),
  follows: z.array(z.object({ action: z.string(), address: z.string() })),
  access: access.optional().catch(undefined),
});

const watchState = z.object({
  format: z.literal(1),
  stack: z.string().optional(),
  salt: z.string().min(16),
  repairs: z.record(z.string(), z.record(z.string(), repair)),
  history: z.array(record).max(50),
  applied: revision.optional(),
  url: z.string().refine(isPageUrl).optional().catch(undefined),
  awaited: awaited.optional().catch(undefined),
  recorded: z
    .object({
      ready: z.object({
        type: z.literal('Ready'),
        status: z.enum(conditionStatuses),
        reason: z.string(),
        message: z.string(),
        since: z.number(),
      }),
      asked: z.array(z.string()),
    })
    .optional()
    .catch(undefined),
  approved: z.record(z.string(), approval.extend({ part: z.string(), cause: z.enum(changeCauses) })),
  usedApprovals: z.array(approval.pick({ digest: true, at: true }).extend({ acceptedAt: z.number().optional() })),
  approvalsLostAt: z.number().optional(),
  approvalsSince: z.number().optional(),
  pause: keptPause.optional().catch(undefined),
});

/** What a watch keeps across restarts. */
export interface WatchState extends UsedApprovals {
  /** The id of the stack; absent where nothing was written yet. */
  readonly stack?: string;
  /** The salt of the digests of secrets in approved changes; random, made once. */
  readonly salt: string;
  /** Recent repairs of drift. */
  readonly repairs: DriftRepairs;
  /** The last applies, newest first. */
  readonly history: readonly ApplyRecord[];
  /** The last revision that was in sync or applied as a whole. */
  readonly applied?: Revision;
  /** The status page of the process that wrote this. */
  readonly url?: string | undefined;
  /** The changes that need approval. */
  readonly awaited?: AwaitedApproval | undefined;
  /** The status of the stack, for whoever is on standby. */
  readonly recorded?: RecordedStatus;
  /** Approved changes that are not applied yet. */
  readonly approved: Readonly<Record<Address, ApprovedChange>>;
  /** The pause in force, whatever becomes of the operator requests. */
  readonly pause?: KeptPause | undefined;
}

/** A change that was approved. */
export interface ApprovedChange extends ApprovalRecord {
  /** The change in comparable form: what is planned must still be equal to it. */
  readonly part: string;
  /** Why it was in the plan: a change that was applied, and that somebody undid, is planned for another reason. */
  readonly cause: ChangeCause;
}

/** An empty watch state. */
export function emptyWatchState(): WatchState {
  return { salt: randomBytes(16).toString('hex'), repairs: {}, history: [], approved: {}, usedApprovals: [] };
}

/** Reads the state of an earlier watch; empty, after `onLost`, where the document is damaged or of another version. One that cannot be read is an error: it must not be replaced. */
export async function readWatchState(document: KeptDocument, onLost?: () => void): Promise<WatchState> {
  const read = await document.read();
  if ('code' in read && read.code !== 'FILE_NOT_FOUND' && read.code !== 'INVALID_TEXT')
    throw new StateError('WATCH_STATE_UNREADABLE', `${document.location} ${read.message}`, {
      hint: 'make the file readable for the user that runs `sluice watch`',
    });
  if (!('text' in read)) {
    if (read.code === 'INVALID_TEXT') onLost?.();
    return emptyWatchState();
  }
  // Enumerated texts such as actions are only printed.
  const kept = watchState.safeParse(parsedJson(read.text)).data as unknown as WatchState | undefined;
  if (kept === undefined) onLost?.();
  return kept ?? emptyWatchState();
}

function isOutcome(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { address, action, ending } = value as Readonly<Record<string, unknown>>;
  return [address, action, ending].every((text) => typeof text === 'string');
}

/** Refuses the watch state of another stack: two stacks whose state has one path have one lock, and only one of them is reconciled. */
export function mustBeOfStack({ stack }: WatchState, id: string, { location }: KeptDocument): void {
  if (stack === undefined || stack === id) return;
  throw new Refused('STATE_STACK_MISMATCH', `${location} belongs to stack ${safeText(stack, 80)}, not to ${id}`, {
    hint: 'set `state.path` in sluice.yaml to another file for each stack; if that stack no longer exists, remove the watch state that is there',
  });
}

/** Writes the watch state. */
export async function writeWatchState(document: KeptDocument, kept: WatchState): Promise<void> {
  const history = kept.history.map((one) => keptRecord(one));
  await document.update(() => `${JSON.stringify({ format: 1, ...kept, history })}\n`);
}

/** Writes a pause, or its end, that a command has recorded, and changes nothing else of the watch state; one with a higher number stays. */
export async function keepPause(document: KeptDocument, pause: KeptPause): Promise<void> {
  await document.update((read) => {
    // Whatever fields another version of sluice has written stay.
    const before = 'text' in read ? parsedJson(read.text) : undefined;
    const { data } = watchState.safeParse(before);
    if (data === undefined) throw new StateError('STATE_CHANGED', `${document.location} keeps changing`, runAgain);
    return `${JSON.stringify({ ...(before as object), pause: latestPause(pause, data.pause) })}\n`;
  });
}

/** Whether nothing has to be written. The history is long, and its records never change. */
export function isSameWatchState(saved: WatchState | undefined, { history, ...rest }: WatchState): boolean {
  if (saved?.history !== history) return false;
  const { history: _history, ...before } = saved;
  return JSON.stringify(before) === JSON.stringify(rest);
}
