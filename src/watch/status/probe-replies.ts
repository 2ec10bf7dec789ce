import type { WatchStatus } from '../../model/status/watch-status.ts';
import { isLive, isReady, type ProbeResult } from './health.ts';
import type { ReplyTo } from './http-replies.ts';
import { textReply, type Reply } from './reply.ts';

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
