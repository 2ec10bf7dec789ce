import type { Dispatcher } from 'undici';
import { createClient, type Client } from '../api/client.ts';
import type { Clock } from '../api/clock.ts';
import { createLimiter } from '../api/limiter.ts';
import { parseRate } from '../api/rate.ts';
import { readOnly } from '../api/read-only.ts';
import { repeating, type Wait } from '../api/repeat.ts';
import { whileAllowed } from '../api/while-allowed.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import type { Context } from './context.ts';

/** Where the service is and how to speak to it. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly dispatcher: Dispatcher;
  readonly vendor: string;
  readonly key: string;
  readonly rateLimit: string | undefined;
  readonly clock: Clock;
  /** Aborted when the command is over. */
  readonly over: AbortSignal;
  /** Asked before each write. */
  readonly mayWrite: () => boolean;
  /** Told of each wait before a request is repeated. */
  readonly onWait?: (wait: Wait) => void;
}

/** Two clients that keep one pace together. */
export interface Clients {
  /** Refuses everything but GET (law 2), and stops when interrupted. */
  readonly reader: Client;
  /** What it has sent is waited for, also after an interruption. */
  readonly writer: Client;
}

/** Makes the clients of a command. */
export function clientsOf(context: Context, settings: ClientSettings): Clients {
  const { dispatcher, clock, rateLimit, key } = settings;
  const signal = AbortSignal.any([context.io.signal, settings.over]);
  const shared = {
    baseUrl: settings.baseUrl,
    vendor: settings.vendor,
    key: () => key,
    userAgent: `sluice/${context.version}`,
    limiter: createLimiter(rateLimit === undefined ? undefined : parseRate(rateLimit), clock, (gapMs) =>
      context.log(
        'info',
        `the service lets through about ${Math.ceil(60_000 / gapMs)} requests a minute; keeping to that`,
      ),
    ),
    // Interrupted, nothing more is repeated; what is under way is another matter.
    repeat: repeating({
      clock,
      signal,
      onWait: (wait) => {
        context.log('info', `${safeText(wait.why)}; again in ${Math.ceil(wait.ms / 1000)} s`);
        settings.onWait?.(wait);
      },
    }),
    onRequest: ({ method, path, status }: { method: string; path: string; status: number | undefined }) =>
      context.log('debug', `${method} ${safeText(path)} ${status ?? 'no answer'}`),
  };
  return {
    reader: createClient({ ...shared, signal, dispatcher: dispatcher.compose(readOnly) }),
    writer: createClient({ ...shared, dispatcher: dispatcher.compose(whileAllowed(settings.mayWrite)) }),
  };
}
