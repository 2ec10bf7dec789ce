import { counted } from '../../diagnostics/counted.ts';
import { failedSubject } from '../../model/status/failed-subject.ts';
import { accessComparisonLines } from '../../render/access/access-comparison-text.ts';
import { needsPerson, pendingText, stillOpenTexts } from '../../render/status/pending-words.ts';
import { sluiceCommand } from '../../render/status/sluice-command.ts';
import type { notificationEvents } from '../../manifest/stack-file/watch-schema.ts';
import type {
  DriftConflict,
  PendingChange,
  ResourceStatus,
  WatchFailure,
  WatchStatus,
} from '../../model/status/watch-status.ts';

/** An event that operators can be notified of. */
export type NotificationEvent = (typeof notificationEvents)[number];

/** One subject of a notification. */
export interface NotificationItem {
  /** What it is about, as a person names it: an address, `manifests`, `account`, `state` and such. */
  readonly scope: string;
  readonly message: string;
  /** What would change, as `plan` shows it. */
  readonly details?: string;
}

/** A notification, independent of its format. */
export interface Notification {
  readonly event: NotificationEvent;
  readonly stack: { readonly name: string; readonly id: string };
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly title: string;
  readonly items: readonly NotificationItem[];
  /** Who can reach what now, and after an approval, in lines. */
  readonly access?: readonly string[];
  /** The command to run, if any. */
  readonly command?: string;
}

/** What a status has open, by event: by a text that is another one where it is news. */
export type OpenItems = Readonly<
  Record<Exclude<NotificationEvent, 'recovered'>, ReadonlyMap<string, NotificationItem>>
>;

/** Whether a person must act on a change; an error of the plan is a failure. */
export function requiresAction(change: PendingChange): boolean {
  return needsPerson(change) && change.reason !== 'plan-error';
}

/** Finds what a status has open. */
export function openItems(status: WatchStatus): OpenItems {
  const { resources, failures, pending, awaited, driftConflicts, exposures, ruleBreaches } = status;
  const withStatus = (wanted: ResourceStatus['syncStatus']): readonly ResourceStatus[] =>
    resources.filter((one) => one.syncStatus === wanted);
  const item = (scope: string, message: string, key = scope, details = ''): [string, NotificationItem] => [
    key,
    { scope, message, ...(details === '' ? {} : { details }) },
  ];
  const detailsOf = new Map(pending.map(({ address, details }) => [address, details]));
  return {
    failed: new Map([
      ...withStatus('failed').map(({ address, note }) => item(address, note ?? 'failed')),
      ...failures.map((one: WatchFailure) => item(failedSubject(one), one.message)),
    ]),
    drifted: new Map(
      withStatus('drifted').map(({ address, note }) =>
        item(address, note ?? 'changed outside sluice', address, detailsOf.get(address)),
      ),
    ),
    'action-required': new Map(
      pending.filter(requiresAction).map((one) => {
        const { address, reason: what, action, message, details, hazards } = one;
        const open = stillOpenTexts(hazards).map((text) => `. ${text}`);
        return item(
          address,
          `${action === 'none' ? '' : `${action} `}${pendingText(one)}${message === '' ? '' : `: ${message}`}${open.join('')}`,
          [what, action, address, message, details, awaited?.digest].join('\n'),
          details,
        );
      }),
    ),
    'drift-conflict': new Map(
      driftConflicts.map(({ address, pointer, desired, actual }: DriftConflict) =>
        item(
          address,
          pointer === ''
            ? 'another client keeps deleting the resource'
            : `${pointer}: manifest ${desired}, service ${actual}`,
          `${address} ${pointer}`,
        ),
      ),
    ),
    exposed: new Map(
      exposures.map(({ address, message, urls }) => item(address, message, `${address} ${urls.join(' ')}`)),
    ),
    'rule-broken': new Map(
      ruleBreaches.map(({ rule, source, address, message }) => item(address, message, `${source} ${rule} ${address}`)),
    ),
  };
}

const titles: Readonly<Record<NotificationEvent, (count: number) => string>> = {
  failed: (count) => counted(count, 'failure'),
  recovered: (count) => `${count} recovered`,
  drifted: (count) => `${counted(count, 'resource')} drifted`,
  'action-required': (count) => `${counted(count, 'change')} ${count === 1 ? 'requires' : 'require'} action`,
  'drift-conflict': (count) => counted(count, 'drift conflict'),
  exposed: (count) => `${counted(count, 'edge')} ${count === 1 ? 'is' : 'are'} publicly exposed`,
  'rule-broken': (count) => `${counted(count, 'route')} ${count === 1 ? 'breaks' : 'break'} access rules`,
};

/** The notification about some items; none without any. */
export function notificationsOf(
  event: NotificationEvent,
  items: readonly NotificationItem[],
  status: WatchStatus,
): readonly Notification[] {
  if (items.length === 0) return [];
  const { stack, now, awaited, dir } = status;
  const asks = event === 'action-required' && awaited !== undefined;
  return [
    {
      event,
      stack: { name: stack.name, id: stack.id },
      time: now,
      title: titles[event](items.length),
      items,
      ...(asks && awaited.access !== undefined ? { access: accessComparisonLines(awaited.access) } : {}),
      ...(asks ? { command: sluiceCommand(dir, ['approve', awaited.digest]) } : {}),
    },
  ];
}

// Their items say all that there is to say about a scope, so that a later one replaces an earlier one.
const perScope: ReadonlySet<NotificationEvent> = new Set(['failed', 'recovered', 'drifted']);

/** One notification in place of two of an event: the newer one, with what the older one says about anything else. A newer list of changes that require action is the whole list. */
export function mergedNotification(before: Notification | undefined, news: Notification): Notification {
  if (before === undefined || news.event === 'action-required') return news;
  const keyOf = ({ scope, message }: NotificationItem): string =>
    perScope.has(news.event) ? scope : `${scope}\n${message}`;
  const newer = new Set(news.items.map(keyOf));
  return withItems(news, [...before.items.filter((item) => !newer.has(keyOf(item))), ...news.items]);
}

/** A notification without some of its items; undefined: nothing is left to say. */
export function withoutItems(
  news: Notification | undefined,
  isLeftOut: (item: NotificationItem) => boolean,
): Notification | undefined {
  const items = news?.items.filter((item) => !isLeftOut(item)) ?? [];
  if (items.length === news?.items.length) return news;
  return news === undefined || items.length === 0 ? undefined : withItems(news, items);
}

function withItems(news: Notification, items: readonly NotificationItem[]): Notification {
  return { ...news, title: titles[news.event](items.length), items };
}
