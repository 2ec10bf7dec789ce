import { createHash } from 'node:crypto';
import type { WatchStatus } from '../../model/status/watch-status.ts';
import {
  notificationsOf,
  openItems,
  type Notification,
  type NotificationItem,
  type OpenItems,
} from './notification.ts';

const hour = 3_600_000;
const day = 24 * hour;

type OpenEvent = keyof OpenItems;

// What comes back within this time is reported once it is over, if it is still open then.
const quietFor: Readonly<Record<OpenEvent, number>> = {
  failed: hour,
  drifted: day,
  'action-required': hour,
  'drift-conflict': day,
  exposed: day,
  'rule-broken': day,
};
const events = Object.keys(quietFor) as readonly OpenEvent[];
// Those of which everything that is open is repeated daily.
const repeated: ReadonlySet<OpenEvent> = new Set(['failed', 'action-required']);
const maxEntries = 5_000;
const nothing: ReadonlySet<string> = new Set();

/** Selects the notifications to send for each status: of what is open and was not reported, and once a day of failures and required actions that are still open. */
export function createNotificationDedup(): (status: WatchStatus, now: number) => readonly Notification[] {
  /** When each was sent last. */
  const last = new Map<string, number>();
  /** What is open and was reported. */
  const told = new Map<OpenEvent, ReadonlySet<string>>();
  let reminded = -Infinity;

  /** What of the open items is to be reported now. */
  function fresh(event: OpenEvent, open: ReadonlyMap<string, NotificationItem>, now: number): readonly string[] {
    const known = told.get(event) ?? nothing;
    const keys = [...open.keys()];
    const isQuiet = (key: string): boolean => now - (last.get(`${event} ${key}`) ?? -Infinity) < quietFor[event];
    // An approval covers all that requires it, so a change in any part is reported with the whole.
    if (event === 'action-required') return keys.every((key) => known.has(key)) || isQuiet(wholeOf(keys)) ? [] : keys;
    return keys.filter((key) => !known.has(key) && !isQuiet(key));
  }

  function remember(event: OpenEvent, sent: readonly string[], now: number): void {
    for (const key of event === 'action-required' && sent.length > 0 ? [wholeOf(sent)] : sent) {
      last.delete(`${event} ${key}`);
      last.set(`${event} ${key}`, now);
    }
    for (const oldest of last.keys()) {
      if (last.size <= maxEntries) break;
      last.delete(oldest);
    }
  }

  return (status, now) => {
    // Only the leader sends notifications.
    if (status.leader !== undefined) {
      told.clear();
      return [];
    }
    const isDue = now - reminded >= day;
    const all = openItems(status);
    const due = events.flatMap((event): readonly Notification[] => {
      const open = all[event];
      const known = told.get(event) ?? nothing;
      const sent = new Set(isDue && repeated.has(event) ? open.keys() : fresh(event, open, now));
      const over = [...known].filter((key) => !open.has(key));
      const left = mayBeOpen(event, status) ? over : [];
      remember(event, [...sent], now);
      told.set(event, new Set([...left, ...[...open.keys()].filter((key) => known.has(key) || sent.has(key))]));
      if (sent.size > 0 && repeated.has(event)) reminded = now;
      const items = [...open].flatMap(([key, item]) => (sent.has(key) ? [item] : []));
      const scopes = event !== 'failed' || left.length > 0 ? [] : over;
      const recovered = scopes.map((scope) => ({ scope, message: 'recovered' }));
      return [...notificationsOf(event, items, status), ...notificationsOf('recovered', recovered, status)];
    });
    if (isDue) reminded = now;
    return due;
  };
}

/** Whether what a status does not have open may be open all the same. */
function mayBeOpen(event: OpenEvent, { nextRefresh, role, resources }: WatchStatus): boolean {
  // What fails may yet fail the same way before the reconciliation ends.
  if (event === 'failed') return nextRefresh === undefined && role !== 'paused';
  return event === 'drifted' && resources.some(({ syncStatus }) => syncStatus === 'unknown');
}

function wholeOf(keys: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(keys)).digest('base64');
}
