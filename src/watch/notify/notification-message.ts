import { counted } from '../../diagnostics/counted.ts';
import { createHmac } from 'node:crypto';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { Notification } from './notification.ts';

/** The formats of notifications. */
export type NotificationFormat = 'generic' | 'slack';

const mostItems = 20;
const longest = 300;
const longestDetails = 2_000;

/** A notification in the format of a receiver; with a secret, signed over timestamp and body. */
export function notificationMessage(
  news: Notification,
  format: NotificationFormat,
  secret: string | undefined,
  now: number,
): { readonly headers: Readonly<Record<string, string>>; readonly body: string } {
  const body = JSON.stringify(format === 'slack' ? slackBody(news) : genericBody(news));
  const headers = { 'content-type': 'application/json', 'user-agent': 'sluice' };
  if (secret === undefined) return { headers, body };
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { headers: { ...headers, 'sluice-timestamp': timestamp, 'sluice-signature': `v1=${signature}` }, body };
}

function genericBody({ event, stack, time, title, items, access, command }: Notification): unknown {
  return {
    format_version: '1.0',
    event,
    stack,
    time: new Date(time).toISOString(),
    title: `${stack.name}: ${title}`,
    items: items.slice(0, mostItems).map(({ scope, message, details }) => ({
      scope: safe(scope),
      message: safe(message),
      ...(details === undefined ? {} : { details: detailsText(details) }),
    })),
    omitted: Math.max(0, items.length - mostItems),
    ...(access === undefined ? {} : { access: access.map((line) => safeText(line, longestDetails)) }),
    command,
  };
}

/* A plain text block has no markup; `text`, which push notifications show, has, so it is escaped. */
function slackBody({ event, stack, title, items, access = [], command }: Notification): unknown {
  const more = items.length > mostItems ? [`and ${counted(items.length - mostItems, 'more message')}`] : [];
  const head = `${marks[event]} sluice ${safe(stack.name)}: ${title}`;
  const lines = items
    .slice(0, mostItems)
    .flatMap(({ scope, message, details }) => [
      `${safe(scope)}: ${safe(message)}`,
      ...(details === undefined ? [] : [detailsText(details)]),
    ]);
  const shown = access.map((line) => safeText(line, longestDetails));
  const text = [head, ...lines, ...more, ...shown, ...(command === undefined ? [] : [`Run: ${safe(command)}`])].join(
    '\n',
  );
  return {
    text: escaped(head),
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [{ type: 'section', text: { type: 'plain_text', text: text.slice(0, 2_900), emoji: false } }],
  };
}

const marks: Readonly<Record<Notification['event'], string>> = {
  failed: '✗',
  recovered: '✓',
  drifted: '≠',
  'action-required': '‖',
  'drift-conflict': '⇄',
  exposed: '◎',
  'rule-broken': '⊘',
};

function detailsText(details: string): string {
  const text = details.length > longestDetails ? `${details.slice(0, longestDetails)}…` : details;
  return text
    .trimEnd()
    .split('\n')
    .map((line) => safeText(line, longestDetails))
    .join('\n');
}

function safe(text: string): string {
  return safeText(text, longest);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
