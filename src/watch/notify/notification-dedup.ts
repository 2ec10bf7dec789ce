import type { WatchStatus } from '../../model/watch-status.ts';
import {
  notificationAbout,
  newNotifications,
  openNotifications,
  type Notification,
  type NotificationEvent,
} from './notification.ts';

const hour = 3_600_000;
const day = 24 * hour;

// What comes back within this time is not told again: it has been heard of.
const quietFor: Readonly<Record<NotificationEvent, number>> = {
  failed: hour,
  recovered: 0,
  waiting: hour,
  drifted: day,
  fight: day,
};
const mostRemembered = 5_000;

/** What has been told already. */
export interface NotificationDedup {
  /** What is to be told of a status at this moment: what is new, and once a day what is still open. */
  readonly toTell: (status: WatchStatus, now: number) => readonly Notification[];
}

/** Makes a memory of what was told, so that nothing is told twice and nothing open is forgotten. */
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
      if (last.size <= mostRemembered) break;
      last.delete(oldest);
    }
  }

  /** Without what was told a while ago, and without the recovery of what nobody heard fail. */
  function fresh(news: Notification, now: number): readonly Notification[] {
    const { event, items } = news;
    const left = items.filter(({ subject }) =>
      event === 'recovered'
        ? failing.has(subject)
        : now - (last.get(`${event} ${subject}`) ?? -Infinity) >= quietFor[event],
    );
    const rest = notificationAbout(news, left);
    return rest === undefined ? [] : [rest];
  }

  return {
    toTell: (status, now) => {
      // What goes on is told by the one who leads.
      if (status.leader !== undefined) {
        before = undefined;
        failing.clear();
        return [];
      }
      const isDue = now - reminded >= day;
      const between = before === undefined ? [] : newNotifications(before, status);
      before = status;
      const told = [
        ...(isDue ? openNotifications(status) : []),
        ...between.filter(({ event }) => !isDue || !isOpen(event)).flatMap((news) => fresh(news, now)),
      ];
      for (const { event, items } of told) for (const { subject } of items) remember(event, subject, now);
      if (isDue || told.some(({ event }) => isOpen(event))) reminded = now;
      return told;
    },
  };
}

function isOpen(event: NotificationEvent): boolean {
  return event === 'failed' || event === 'waiting';
}
