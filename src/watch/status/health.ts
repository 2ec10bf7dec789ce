import { isOnStandby } from '../../model/status/on-standby.ts';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import type { ReplyTo } from './http-replies.ts';
import { textReply, type Reply } from './reply.ts';

/** Why the reconcile loop runs no longer, if so: it has not done so before its own deadline. */
export function whyNotLive({ dueBy = Infinity }: Pick<WatchStatus, 'dueBy'>, now: number): string | undefined {
  return now <= dueBy ? undefined : `the reconcile loop is overdue by ${Math.ceil((now - dueBy) / 1000)} s`;
}

/** Why it is not ready, if so. Ready is the leader that has refreshed the account, a standby, and one that is paused and so refreshes nothing. */
export function whyNotReady(
  status: Pick<WatchStatus, 'role' | 'failures' | 'lastRefresh' | 'lastSuccess' | 'dueBy'>,
  now: number,
): string | undefined {
  if (status.role === 'stopping') return 'sluice is stopping';
  const overdue = whyNotLive(status, now);
  if (overdue !== undefined || isOnStandby(status) || status.role === 'paused') return overdue;
  const isRead = status.lastRefresh !== undefined || status.lastSuccess !== undefined;
  return isRead ? undefined : 'the account has not been read yet';
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
    '/healthz': () => probeReply(whyNotLive(status(), now())),
    '/readyz': () => probeReply(whyNotReady(status(), now())),
  };
}

/** The reply to a probe: what is wrong, if anything. */
export function probeReply(problem: string | undefined): Reply {
  return problem === undefined ? textReply(200, 'ok') : textReply(503, problem);
}
