import type { Dispatcher } from 'undici';
import type { Clock } from '../../api/clock.ts';
import { NotConnected } from '../../api/connection/not-connected.ts';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import { linkedAbort } from '../../api/linked-abort.ts';
import {
  mergedNotification,
  requiresAction,
  withoutItems,
  type Notification,
  type NotificationEvent,
} from './notification.ts';
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
      // Once a reconciliation has ended, nobody is asked for what is done, such as an approval that was given elsewhere.
      if (status.nextRefresh !== undefined && !status.pending.some(requiresAction))
        for (const line of lines) line.drop('action-required');
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

/** What a receiver has not got of one event. */
interface Undelivered {
  news?: Notification | undefined;
  working?: Promise<void> | undefined;
  /** Ends the wait for the next attempt. */
  wake: () => void;
}

// Each takes the place of the other for the same scope.
const opposites: Partial<Record<NotificationEvent, NotificationEvent>> = { failed: 'recovered', recovered: 'failed' };

/** The queue to one receiver, sent one after the other. One that is not delivered is tried again later, and delays only news of the same event, which are merged with it and tried at once. */
function createQueue(
  { name, url, secret, format, on }: Receiver,
  { clock, now, onFailure, dispatcher }: NotifyOptions,
  signal: AbortSignal,
): {
  readonly put: (news: Notification) => void;
  readonly drop: (event: NotificationEvent) => void;
  readonly idle: () => Promise<void>;
} {
  const byEvent = new Map<NotificationEvent, Undelivered>();
  let turn: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = turn.then(work);
    turn = next.catch(() => undefined);
    return next;
  }

  /** Sends what there is of an event, with retries. */
  async function deliver(event: NotificationEvent, open: Undelivered): Promise<void> {
    for (let tries = 0; open.news !== undefined;) {
      let sent: Notification | undefined;
      const failure = await inTurn(async () => {
        sent = open.news;
        return sent && attempt(sent);
      });
      const pause = failure?.again === true ? pausesMs[tries] : undefined;
      if (pause === undefined) {
        if (failure !== undefined) onFailure(name, `${event}: ${failure.reason}`);
        const told = new Set(sent?.items);
        open.news = withoutItems(open.news, (item) => told.has(item));
        tries = 0;
      } else {
        if (open.news === sent) await sleepUntilNews(pause * (0.5 + clock.random()), open);
        tries = open.news === sent ? tries + 1 : 0;
      }
    }
    open.working = undefined;
  }

  async function sleepUntilNews(ms: number, open: Undelivered): Promise<void> {
    const over = linkedAbort(signal);
    open.wake = over.abort;
    await clock.sleep(ms, over.signal).catch(() => undefined);
    over.release();
  }

  async function attempt(
    news: Notification,
  ): Promise<{ readonly reason: string; readonly again: boolean } | undefined> {
    if (signal.aborted) return { reason: 'the notification was not sent: sluice is stopping', again: false };
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

  function change(event: NotificationEvent, to: (news: Notification | undefined) => Notification | undefined): void {
    const open: Undelivered = byEvent.get(event) ?? { wake: () => undefined };
    byEvent.set(event, open);
    const news = to(open.news);
    if (news === open.news) return;
    open.news = news;
    open.wake();
    if (news !== undefined) open.working ??= deliver(event, open);
  }

  return {
    put: (news) => {
      if (signal.aborted) return;
      const scopes = new Set(news.items.map(({ scope }) => scope));
      const opposite = opposites[news.event];
      if (opposite !== undefined) change(opposite, (before) => withoutItems(before, ({ scope }) => scopes.has(scope)));
      if (on.includes(news.event)) change(news.event, (before) => mergedNotification(before, news));
    },
    drop: (event) => change(event, () => undefined),
    idle: async () => {
      for (const { working } of byEvent.values()) await working;
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
