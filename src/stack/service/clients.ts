import type { StackContext } from '../stack-context.ts';
import type { Dispatcher } from 'undici';
import { createClient, type Client, type CompletedRequest } from '../../api/client.ts';
import type { Clock } from '../../api/clock.ts';
import { createRetry, type RetryWait } from '../../api/retry.ts';
import { readOnly, whileAllowed, type WritePermit } from '../../api/while-allowed.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { StackLists } from '../../refresh/shared-lists.ts';
import { accountLimiters, type LimitedAccount } from './account-limiters.ts';
import { rateFindingLog } from './rate-finding-log.ts';
import { retryLog } from './retry-log.ts';

/** The address of the service, and how to connect to it. */
export interface ClientSettings extends LimitedAccount, RequestListener {
  readonly dispatcher: Dispatcher;
  readonly vendor: string;
  readonly clock: Clock;
  readonly over: AbortSignal;
  readonly permit: WritePermit;
  /** How long one write may take; as long as any request where left out. */
  readonly writeDeadlineMs?: number | undefined;
}

/** What is called with each completed request, and before each wait for a repeated one. */
export interface RequestListener {
  readonly onRequest?: (request: CompletedRequest) => void;
  readonly onRetry?: (wait: RetryWait) => void;
}

/** Two clients that keep one pace together. */
export interface Clients {
  /** Refuses everything but GET (law 2), repeats what failed in passing, and stops when interrupted. */
  readonly reader: Client;
  /** Sends a request again only when it certainly never left. What it has sent is waited for, also after an interruption. */
  readonly writer: Client;
  /** The lists of the account, where several stacks of this process share them. */
  readonly lists: StackLists | undefined;
  /** Milliseconds between two requests, where a limit is given or was learned. */
  readonly gapMs: () => number | undefined;
}

/** Makes the clients of a command. */
export function clientsOf(context: StackContext, settings: ClientSettings): Clients {
  const { baseUrl, dispatcher, clock, key } = settings;
  const report = rateFindingLog((line) => context.log('info', line));
  const retries = retryLog(clock, (line) => context.log('info', line));
  const limiters = context.fleet?.limiters ?? accountLimiters(clock);
  const limiter = limiters.of(settings, report);
  const signal = AbortSignal.any([context.io.signal, settings.over]);
  const shared = {
    baseUrl,
    vendor: settings.vendor,
    key: () => key,
    userAgent: `sluice/${context.version}`,
    limiter,
    // Interrupted, nothing more is repeated; what is under way is another matter.
    repeat: createRetry({
      clock,
      signal,
      heldBackMs: limiter.waitMs,
      onRetry: (wait) => {
        retries.waiting(wait);
        settings.onRetry?.(wait);
      },
    }),
    onRequest: (request: CompletedRequest) => {
      const { method, path, status } = request;
      if (status !== undefined) retries.responded();
      context.log('debug', `${method} ${safeText(path)} ${status ?? 'no response'}`);
      settings.onRequest?.(request);
    },
  };
  const writer = createClient({
    ...shared,
    calledOff: signal,
    untilMayWrite: settings.permit.untilMayWrite,
    ...(settings.writeDeadlineMs === undefined ? {} : { deadlineMs: settings.writeDeadlineMs }),
    dispatcher: dispatcher.compose(whileAllowed(settings.permit)),
  });
  const lists = context.fleet?.lists.of(settings);
  return {
    reader: createClient({ ...shared, signal, dispatcher: dispatcher.compose(readOnly) }),
    writer:
      lists === undefined ? writer : { ...writer, write: (request) => lists.duringWrite(() => writer.write(request)) },
    lists,
    gapMs: limiter.gapMs,
  };
}
