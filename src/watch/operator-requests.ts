import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { StateError } from '../diagnostics/errors.ts';
import type { FileText } from '../files/safe-file.ts';
import { present } from '../model/present.ts';
import { isPlanDigest } from '../model/plan/is-plan-digest.ts';
import type { ApprovalRecord } from '../model/status/watch-status.ts';
import type { Backend, KeptDocument } from '../state/backend.ts';
import { mostKept } from './kept-text.ts';
import { latestPause, pauseRequest, type KeptPause } from './pause-request.ts';
import { emptyWatchState, keepPause, readWatchState } from './watch-state.ts';
import { parsedJson } from '../model/json-object.ts';

/** For how long an approval counts. */
export const approvalLifetimeMs = 7 * 86_400_000;

const requests = z.strictObject({
  format: z.literal(1),
  pause: pauseRequest.optional(),
  /** Counts pauses and their ends, so that what proves one of them proves no later one. */
  pauseSerial: z.number().int().nonnegative().optional(),
  /** That `sluice pause` or `sluice resume` recorded the pause, or its end. */
  pauseProof: z.string().max(100).optional(),
  approvals: z
    .array(
      z.strictObject({
        digest: z.string().refine(isPlanDigest),
        by: z.string().max(mostKept.name),
        at: z.number(),
        reason: z.string().max(mostKept.reason).optional(),
        proof: z.string().max(100).optional(),
      }),
    )
    .max(100),
});

/** Requests of operators to the watch of a stack: a pause until a time, and approvals of pending changes. Times are milliseconds since 1970. */
export type OperatorRequests = z.infer<typeof requests>;

/** No pause and no approvals. */
export const noOperatorRequests: OperatorRequests = { format: 1, approvals: [] };

/** Reads the operator requests; none where there is no document. One that exists and cannot be read may contain a pause, so it is an error. */
export async function readOperatorRequests(document: KeptDocument): Promise<OperatorRequests> {
  return requestsIn(await document.read(), document);
}

function requestsIn(read: FileText, { location }: KeptDocument): OperatorRequests {
  if ('text' in read) {
    const { data } = requests.safeParse(parsedJson(read.text));
    if (data === undefined) throw unreadable(`${location} does not contain valid pauses and approvals`);
    return data;
  }
  if (read.code === 'FILE_NOT_FOUND') return noOperatorRequests;
  throw unreadable(`${location} ${read.message}`);
}

function unreadable(why: string): StateError {
  return new StateError(
    'OPERATOR_REQUESTS_UNREADABLE',
    `${why}; the file may contain a pause, so sluice watch pauses`,
    {
      hint: 'make the file readable for the user that runs `sluice watch`, or run `sluice pause` or `sluice resume`, which replace the file',
    },
  );
}

/** Whether an approval is not too old to count: nobody may have removed it since. */
export function stillCounts({ at }: Pick<ApprovalRecord, 'at'>, now: number): boolean {
  return now - at < approvalLifetimeMs;
}

/** Changes the operator requests; those that cannot be read are replaced, unless `requestsOf` throws for them. Approvals older than a week are dropped. */
export async function updateOperatorRequests(
  document: KeptDocument,
  change: (before: OperatorRequests) => OperatorRequests,
  now: number,
  requestsOf = replaceable,
): Promise<void> {
  await document.update((read) => {
    const { approvals, ...rest } = change(requestsOf(read, document));
    const recent = approvals.filter((one) => stillCounts(one, now)).slice(-100);
    // What the watch could not read would pause it, and take the place of what is there.
    const next = requests.parse({ ...rest, approvals: recent });
    return `${JSON.stringify(next)}\n`;
  });
}

/**
 * Records a pause, or that there is none, in the requests and in the watch state, so that it outlives either document; resolves with the pause
 * before. Whoever cannot read the watch state can pause, but not end a pause, since no watch would accept that.
 */
export async function recordPause(
  { document }: Pick<Backend, 'document'>,
  pause: OperatorRequests['pause'],
  now: number,
): Promise<OperatorRequests['pause']> {
  const state = document('watch-state');
  const {
    salt,
    stack,
    pause: kept,
  } = await readWatchState(state).catch((error: unknown) => {
    if (pause === undefined) throw error;
    return emptyWatchState();
  });
  let before: OperatorRequests['pause'];
  let serial = 0;
  await updateOperatorRequests(
    document('watch-requests'),
    ({ approvals, ...earlier }) => {
      const asked = pauseIn(earlier, salt);
      const { serial: known = 0 } = kept ?? {};
      before = latestPause(asked ?? { serial: known, ...present({ inForce: earlier.pause }) }, kept)?.inForce;
      serial = Math.max(asked?.serial ?? 0, known) + 1;
      const facts = { pause, pauseSerial: serial };
      // What no watch has written proves nothing to it.
      const proven = stack === undefined ? { pause } : { ...facts, pauseProof: proofOfPause(facts, salt) };
      return { format: 1, approvals, ...proven };
    },
    now,
  );
  if (stack !== undefined) await keepPause(state, { serial, ...present({ inForce: pause }) });
  return before;
}

/** The pause, or its end, with its number, if a process has recorded it that can read the state of the watch, which has this salt. */
export function pauseIn(
  { pause, pauseSerial = 0, pauseProof }: Omit<OperatorRequests, 'format' | 'approvals'>,
  salt: string,
): KeptPause | undefined {
  if (pauseProof !== proofOfPause({ pause, pauseSerial }, salt)) return undefined;
  return { serial: pauseSerial, ...present({ inForce: pause }) };
}

/** Records an approval; an earlier one of the same changes is replaced. Where the requests cannot be read, that is an error: an approval ends no pause. */
export async function recordApproval({ document }: Pick<Backend, 'document'>, approval: ApprovalRecord): Promise<void> {
  const state = document('watch-state');
  const { salt, stack } = await readWatchState(state);
  // What no watch has written proves nothing to it.
  if (stack === undefined)
    throw new StateError('WATCH_STATE_UNREADABLE', `${state.location} does not exist or is damaged`, {
      hint: 'approve again once `sluice watch` has written the file',
    });
  const proven = { ...approval, proof: proofOf(approval, salt) };
  await updateOperatorRequests(
    document('watch-requests'),
    ({ approvals, ...rest }) => ({
      ...rest,
      approvals: [...approvals.filter(({ digest }) => digest !== approval.digest), proven],
    }),
    approval.at,
    requestsIn,
  );
}

type RecordedApproval = OperatorRequests['approvals'][number];

/** Whether an approval was recorded by a process that can read the state of the watch, which has this salt. A commit can contain the file of the requests, and never the salt. */
export function isProven(approval: RecordedApproval, salt: string): boolean {
  return approval.proof === proofOf(approval, salt);
}

function proofOf({ digest, by, at, reason = '' }: RecordedApproval, salt: string): string {
  return proof([digest, by, at, reason], salt);
}

function proofOfPause({ pause, pauseSerial }: Pick<OperatorRequests, 'pause' | 'pauseSerial'>, salt: string): string {
  return proof(['pause', pauseSerial, pause?.until, pause?.at, pause?.by, pause?.reason], salt);
}

function proof(facts: readonly unknown[], salt: string): string {
  return createHmac('sha256', salt).update(JSON.stringify(facts)).digest('base64url');
}

function replaceable(read: FileText, document: KeptDocument): OperatorRequests {
  try {
    return requestsIn(read, document);
  } catch {
    return noOperatorRequests;
  }
}
