import { counted } from '../../diagnostics/counted.ts';
import type {
  DriftConflict,
  ResourceStatus,
  WatchFailure,
  PendingChange,
  WatchStatus,
} from '../../model/watch-status.ts';

/** What operators can be told of without looking. */
export type NotificationEvent = 'failed' | 'recovered' | 'drifted' | 'waiting' | 'fight';

/** All of them. */
export const notificationEvents: readonly NotificationEvent[] = ['failed', 'recovered', 'drifted', 'waiting', 'fight'];

/** One thing it is about, and what is said of it. */
export interface NotificationItem {
  /** An address, `manifests` or `account`. */
  readonly subject: string;
  readonly text: string;
}

/** Something worth telling, as a value. */
export interface Notification {
  readonly event: NotificationEvent;
  readonly stack: { readonly name: string; readonly id: string };
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly title: string;
  readonly items: readonly NotificationItem[];
  /** What to run, where something is to be run. */
  readonly command?: string;
}

/** What is new in a status compared with the one before; nothing is new in the first that is told of. */
export function newNotifications(before: WatchStatus, after: WatchStatus): readonly Notification[] {
  const [was, is] = [facts(before), facts(after)];
  const fresh = (event: keyof Facts): NotificationItem[] => missingFrom(was[event], is[event]);
  const over = missingFrom(is.failed, was.failed).map(({ subject }) => ({ subject, text: 'recovered' }));
  return [
    ...newsOf('failed', fresh('failed'), after),
    ...newsOf('recovered', over, after),
    ...newsOf('drifted', fresh('drifted'), after),
    ...newsOf('waiting', fresh('waiting'), after),
    ...newsOf('fight', fresh('fight'), after),
  ];
}

/** The same news about some of its items; undefined without any. */
export function notificationAbout(news: Notification, items: readonly NotificationItem[]): Notification | undefined {
  return items.length === 0 ? undefined : { ...news, items, title: titles[news.event](items.length) };
}

/** What has gone on for longer than an operator may have remembered: the failures and questions that are open. */
export function openNotifications(status: WatchStatus): readonly Notification[] {
  const { failed, waiting } = facts(status);
  return [...newsOf('failed', [...failed.values()], status), ...newsOf('waiting', [...waiting.values()], status)];
}

type Facts = Readonly<Record<'failed' | 'drifted' | 'waiting' | 'fight', ReadonlyMap<string, NotificationItem>>>;

function facts({ resources, failures, pending, driftConflicts }: WatchStatus): Facts {
  const standing = (wanted: ResourceStatus['syncStatus']): readonly ResourceStatus[] =>
    resources.filter((one) => one.syncStatus === wanted);
  const item = (subject: string, text: string, key = subject): [string, NotificationItem] => [key, { subject, text }];
  return {
    failed: new Map([
      ...standing('failed').map(({ address, note }) => item(address, note ?? 'failed')),
      ...failures.map(({ scope, message }: WatchFailure) => item(scope, message)),
    ]),
    drifted: new Map(
      standing('drifted').map(({ address, note }) => item(address, note ?? 'changed outside of sluice')),
    ),
    waiting: new Map(
      pending
        .filter(asks)
        .map(({ address, reason: what, action, message }) =>
          item(address, `${action}: ${message}`, `${what} ${action} ${address}`),
        ),
    ),
    fight: new Map(
      driftConflicts.map(({ address, pointer, desired, actual }: DriftConflict) =>
        item(
          address,
          pointer === '' ? 'another client keeps deleting it' : `${pointer}: manifest ${desired}, service ${actual}`,
          `${address} ${pointer}`,
        ),
      ),
    ),
  };
}

function asks({ reason: what }: PendingChange): boolean {
  return what === 'approval' || what === 'protected' || what === 'manual' || what === 'unresolved';
}

function missingFrom(
  known: ReadonlyMap<string, NotificationItem>,
  all: ReadonlyMap<string, NotificationItem>,
): NotificationItem[] {
  return [...all].filter(([key]) => !known.has(key)).map(([, item]) => item);
}

const titles: Readonly<Record<NotificationEvent, (count: number) => string>> = {
  failed: (count) => counted(count, 'failure'),
  recovered: (count) => `${count} recovered`,
  drifted: (count) => `${counted(count, 'resource')} drifted`,
  waiting: (count) => `${counted(count, 'change')} ${count === 1 ? 'requires' : 'require'} action`,
  fight: (count) => counted(count, 'drift conflict'),
};

function newsOf(
  event: NotificationEvent,
  items: readonly NotificationItem[],
  status: WatchStatus,
): readonly Notification[] {
  if (items.length === 0) return [];
  const { stack, now, approvalDigest } = status;
  const asksApproval = event === 'waiting' && approvalDigest !== undefined;
  return [
    {
      event,
      stack: { name: stack.name, id: stack.id },
      time: now,
      title: titles[event](items.length),
      items,
      ...(asksApproval ? { command: `sluice approve ${approvalDigest}` } : {}),
    },
  ];
}
