import { createHash } from 'node:crypto';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import {
  notificationAbout,
  newNotifications,
  openNotifications,
  type Notification,
  type NotificationEvent,
} from './notification.ts';

const hour = 3_600_000;
const day = 24 * hour;

// A notification is not sent again within this time.
const quietFor: Readonly<Record<NotificationEvent, number>> = {
  failed: hour,
  recovered: 0,
  'action-required': hour,
  drifted: day,
  'drift-conflict': day,
  exposed: day,
  'rule-broken': day,
};
const maxEntries = 5_000;

/** Suppresses repeated notifications. */
export interface NotificationDedup {
  /** The notifications to send for a status: new ones, and once a day those that are still open. */
  readonly select: (status: WatchStatus, now: number) => readonly Notification[];
}

/** Keeps track of sent notifications, so that none is sent twice and open ones are repeated daily. */
export function createNotificationDedup(): NotificationDedup {
  const last = new Map<string, number>();
  const failing = new Set<string>();
  let before: WatchStatus | undefined;
  let reminded = -Infinity;

  function remember(event: NotificationEvent, subject: string, now: number): void {
    const key = `${event} ${subject}`;
    last.delete(key);
    last.set(key, now);
    if (event === 'failed') failing.add(subject);
    if (event === 'recovered') failing.delete(subject);
    for (const oldest of last.keys()) {
      if (last.size <= maxEntries) break;
      last.delete(oldest);
    }
  }

  /** Without what was sent recently. */
  function fresh(news: Notification, now: number): readonly Notification[] {
    const { event, items } = news;
    // Changes that are approved together are reported together.
    if (event === 'action-required') return wasSent(event, wholeOf(news), now) ? [] : [news];
    const rest = notificationAbout(
      news,
      items.filter(({ scope }) => !wasSent(event, scope, now)),
    );
    return rest === undefined ? [] : [rest];
  }

  function wasSent(event: NotificationEvent, subject: string, now: number): boolean {
    return now - (last.get(`${event} ${subject}`) ?? -Infinity) < quietFor[event];
  }

  return {
    select: (status, now) => {
      // Only the leader sends notifications.
      if (status.leader !== undefined) {
        before = undefined;
        failing.clear();
        return [];
      }
      const isDue = now - reminded >= day;
      const between = before === undefined ? [] : newNotifications(before, status, failing);
      before = status;
      const due = [
        ...(isDue ? openNotifications(status) : []),
        ...between.filter(({ event }) => !isDue || !isOpen(event)).flatMap((news) => fresh(news, now)),
      ];
      for (const news of due) for (const subject of subjectsOf(news)) remember(news.event, subject, now);
      if (isDue || due.some(({ event }) => isOpen(event))) reminded = now;
      return due;
    },
  };
}

function subjectsOf(news: Notification): readonly string[] {
  return news.event === 'action-required' ? [wholeOf(news)] : news.items.map(({ scope }) => scope);
}

function wholeOf({ items, command }: Notification): string {
  return createHash('sha256')
    .update(JSON.stringify([items, command]))
    .digest('base64');
}

function isOpen(event: NotificationEvent): boolean {
  return event === 'failed' || event === 'action-required';
}
