import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { notificationsOf, openItems, type Notification } from '../../../src/watch/notify/notification.ts';

/** Notifications for all open failures, and changes that require a person, as the daily reminder has them. */
export function openNotifications(status: WatchStatus): readonly Notification[] {
  const { failed, 'action-required': asked } = openItems(status);
  return [
    ...notificationsOf('failed', [...failed.values()], status),
    ...notificationsOf('action-required', [...asked.values()], status),
  ];
}
