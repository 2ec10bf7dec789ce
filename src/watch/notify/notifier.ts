import type { Dispatcher } from 'undici';
import type { Clock } from '../../api/clock.ts';
import { NotConnected } from '../../api/connection/not-connected.ts';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import { linkedAbort } from '../../api/linked-abort.ts';
import type { Notification, NotificationEvent } from './notification.ts';
import { notificationMessage, type NotificationFormat } from './notification-message.ts';
import { createNotificationDedup } from './notification-dedup.ts';

/** A receiver of notifications. */
export interface Receiver {
  /** Its name in the log, such as `watch.notify[0]`: its URL may be a secret. */
  readonly name: string;
  /** Read before every message, so that a new value takes effect. */
  readonly url: () => string | undefined;
  readonly secret?: () => string | undefined;
  readonly format: NotificationFormat;
  readonly on: readonly NotificationEvent[];
}

/** What a notifier needs. */
export interface NotifyOptions {
  readonly receivers: readonly Receiver[];
  readonly clock: Clock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when a notification could not be delivered, without URL or secret. */
  readonly onFailure: (receiver: string, reason: string) => void;
  readonly dispatcher: Dispatcher;
}

/** Sends notifications to operators. */
export interface Notifier {
  /** Takes a status and sends the notifications for it. Never waits and never fails. */
  readonly publish: (status: WatchStatus) => void;
  /** Resolves when everything is sent or given up. */
  readonly idle: () => Promise<void>;
  /** Drops whatever is not sent yet. */
  readonly close: () => Promise<void>;
}

const longestQueue = 100;
const timeoutMs = 10_000;
// A receiver that restarts, or is out of reach for ten minutes, loses nothing: what is open is repeated only a day later.
const pausesMs = [1_000, 5_000, 25_000, 120_000, 600_000];

/** Makes a notifier. Each receiver has its own queue, so that a slow one delays no other. */
export function createNotifier(options: NotifyOptions): Notifier {
  const { clock } = options;
  const stop = new AbortController();
  const lines = options.receivers.map((receiver) => createQueue(receiver, options, stop.signal));
  const dedup = createNotificationDedup();

  return {
    publish: (status) => {
      for (const news of dedup(status, clock.now())) for (const line of lines) line.put(news);
    },
    idle: async () => {
      await Promise.all(lines.map((line) => line.idle()));
    },
    close: async () => {
      stop.abort();
      await Promise.all(lines.map((line) => line.idle()));
    },
  };
}

/** The queue to one receiver, sent one after the other. */
function createQueue(
  { name, url, secret, format, on }: Receiver,
  { clock, now, onFailure, dispatcher }: NotifyOptions,
  signal: AbortSignal,
): { readonly put: (news: Notification) => void; readonly idle: () => Promise<void> } {
  const queue: Notification[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let news = queue.shift(); news !== undefined; news = queue.shift()) {
      const reason = await deliver(news);
      if (reason !== undefined) onFailure(name, `${news.event}: ${reason}`);
    }
    working = undefined;
  }

  /** Sends one message, with retries; returns the last error, if it was not delivered. */
  async function deliver(news: Notification): Promise<string | undefined> {
    for (let tries = 0; ; tries++) {
      if (signal.aborted) return 'the notification was not sent: sluice is stopping';
      const failure = await attempt(news);
      if (failure === undefined) return undefined;
      const pause = pausesMs[tries];
      if (!failure.again || pause === undefined) return failure.reason;
      await clock.sleep(pause * (0.5 + clock.random()), signal).catch(() => undefined);
    }
  }

  async function attempt(
    news: Notification,
  ): Promise<{ readonly reason: string; readonly again: boolean } | undefined> {
    const to = targetOf(url());
    if (to === undefined) return { reason: 'the URL is missing or is not an http or https URL', again: false };
    const message = notificationMessage(news, format, secret?.(), now());
    const over = linkedAbort(signal, AbortSignal.timeout(timeoutMs));
    const sent = { origin: to.origin, path: `${to.pathname}${to.search}`, ...message, signal: over.signal };
    try {
      const { body, statusCode } = await dispatcher.request({ method: 'POST', ...sent });
      // The body is not needed, and may be endless.
      body.on('error', () => undefined).destroy();
      if (statusCode >= 200 && statusCode <= 299) return undefined;
      return { reason: `the receiver returned ${statusCode}`, again: statusCode === 429 || statusCode >= 500 };
    } catch (error) {
      // A message of the network may name the host, which may be part of a secret.
      const code = codeOf(error);
      if (code === undefined) return { reason: 'the receiver did not respond before the timeout', again: true };
      const way = error instanceof NotConnected && error.proxy !== undefined ? ` through the proxy ${error.proxy}` : '';
      return { reason: `the receiver did not respond${way} (${code})`, again: true };
    } finally {
      over.release();
    }
  }

  return {
    put: (news) => {
      if (!on.includes(news.event) || signal.aborted) return;
      if (queue.length >= longestQueue) {
        queue.shift();
        onFailure(name, `the queue is full (${longestQueue}); the oldest notification was dropped`);
      }
      queue.push(news);
      working ??= work();
    },
    idle: async () => {
      await working;
    },
  };
}

/** The code of what failed; of a plain failure to connect, that of the operating system. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  const inner = code === 'CONNECTION_FAILED' && cause instanceof Error ? codeOf(cause) : undefined;
  return inner ?? (typeof code === 'string' ? code : undefined);
}

function targetOf(text: string | undefined): URL | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}
