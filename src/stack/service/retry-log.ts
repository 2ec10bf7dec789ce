import type { Clock } from '../../api/clock.ts';
import type { RetryWait } from '../../api/retry.ts';
import { safeText } from '../../diagnostics/safe-text.ts';

/** Reports waits before requests are repeated. */
export interface RetryLog {
  /** The service has responded to a request. */
  readonly responded: () => void;
  readonly waiting: (wait: RetryWait) => void;
}

/** Reports each wait; until the service has responded once, one line for all requests that wait at the same time. */
export function retryLog({ now }: Pick<Clock, 'now'>, report: (line: string) => void): RetryLog {
  let hasResponded = false;
  let until = -Infinity;
  return {
    responded: () => {
      hasResponded = true;
    },
    waiting: ({ why, ms }) => {
      if (!hasResponded && now() < until) return;
      until = now() + ms;
      report(`${safeText(why)}; retry in ${String(Math.ceil(ms / 1000))} s`);
    },
  };
}
