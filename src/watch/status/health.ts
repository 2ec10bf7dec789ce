import { isOnStandby } from '../../model/status/on-standby.ts';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import type { ReplyTo } from './http-replies.ts';
import { textReply, type Reply } from './reply.ts';

/** The result of a probe, with the reason of a failure. */
export type ProbeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

const yes: ProbeResult = { ok: true };

/** Whether the reconcile loop still runs: it has done so before its own deadline. */
export function isLive({ dueBy }: Pick<WatchStatus, 'dueBy'>, now: number): ProbeResult {
  if (dueBy === undefined || now <= dueBy) return yes;
  return { ok: false, reason: `the reconcile loop is overdue by ${Math.ceil((now - dueBy) / 1000)} s` };
}

/** Whether it is ready: the leader that has refreshed the account, a standby, or one that is paused and so refreshes nothing. */
export function isReady(
  status: Pick<WatchStatus, 'role' | 'failures' | 'lastRefresh' | 'lastSuccess' | 'dueBy'>,
  now: number,
): ProbeResult {
  if (status.role === 'stopping') return { ok: false, reason: 'sluice is stopping' };
  const alive = isLive(status, now);
  if (!alive.ok || isOnStandby(status) || status.role === 'paused') return alive;
  return status.lastRefresh === undefined && status.lastSuccess === undefined
    ? { ok: false, reason: 'the account has not been read yet' }
    : yes;
}

/** What probes are answered, on the address of the status page and on one of their own. */
export function probeReplies({
  status,
  now,
}: {
  readonly status: () => WatchStatus;
  readonly now: () => number;
}): Readonly<Record<'/healthz' | '/readyz', ReplyTo>> {
  return {
    '/healthz': () => probeReply(isLive(status(), now())),
    '/readyz': () => probeReply(isReady(status(), now())),
  };
}

/** The reply to a probe. */
export function probeReply(answer: ProbeResult): Reply {
  return answer.ok ? textReply(200, 'ok') : textReply(503, answer.reason);
}
