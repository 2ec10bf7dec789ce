import { describe, expect, test } from 'vitest';
import type { Notification, NotificationItem } from '../../../src/watch/notify/notification.ts';
import { notificationMessage } from '../../../src/watch/notify/notification-message.ts';
import { noon } from '../company.ts';

const shop: NotificationItem = { scope: 'HTTPSEdge/shop', message: 'update: heal_drift is off' };

function news(items: readonly NotificationItem[], command?: string): Notification {
  const title = 'TITLE';
  return {
    ...{ event: 'action-required', stack: { name: 'company', id: '5c1e7a90' }, time: noon, title, items },
    ...(command === undefined ? {} : { command }),
  };
}

function generic(items: readonly NotificationItem[]): unknown {
  return JSON.parse(notificationMessage(news(items), 'generic', undefined, noon).body);
}

function slack(
  items: readonly NotificationItem[],
  command?: string,
): { readonly text: string; readonly lines: readonly string[] } {
  const { body } = notificationMessage(news(items, command), 'slack', undefined, noon);
  const { text, blocks } = JSON.parse(body) as { text: string; blocks: readonly [{ text: { text: string } }] };
  return { text, lines: blocks[0].text.text.split('\n') };
}

const many = Array.from({ length: 23 }, (_, n) => ({ scope: `HTTPSEdge/e${n}`, message: 'failed' }));

describe('a message to Slack', () => {
  test('has a line for what happened and one for each subject, and no others', () => {
    expect(slack([shop])).toEqual({
      text: '‖ sluice company: TITLE',
      lines: ['‖ sluice company: TITLE', 'HTTPSEdge/shop: update: heal_drift is off'],
    });
  });

  test('shows what would change below its subject, and the command last', () => {
    const details = 'region: eu -> us\ndescription: removed\n';
    expect(slack([{ ...shop, details }], 'sluice approve sha256:1').lines.slice(1)).toEqual([
      'HTTPSEdge/shop: update: heal_drift is off',
      'region: eu -> us',
      'description: removed',
      'Run: sluice approve sha256:1',
    ]);
  });

  test('is plain text without pictures, which links nothing and notifies nobody by name', () => {
    const { body } = notificationMessage(news([shop]), 'slack', undefined, noon);
    expect(JSON.parse(body)).toMatchObject({
      parse: 'none',
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [{ text: { type: 'plain_text', emoji: false } }],
    });
  });

  test('ends after the 2,900 characters that Slack takes in a block', () => {
    const details = 'x'.repeat(2_000);
    const text = slack([shop, { ...shop, details }, { ...shop, details }]).lines.join('\n');
    expect([text.length, text.at(-1)]).toEqual([2_900, 'x']);
  });

  test('names twenty subjects and counts the others', () => {
    expect(slack(many).lines.slice(-2)).toEqual(['HTTPSEdge/e19: failed', 'and 3 more messages']);
    expect(slack(many.slice(0, 20)).lines.at(-1)).toBe('HTTPSEdge/e19: failed');
  });
});

const lines = ['who can reach what, now and after approval:', '  https://a.example.com/… (becomes public)'];

test('a message reports who can reach what now and after an approval, a line for each', () => {
  const about = { ...news([shop], 'sluice approve sha256:1'), access: lines };
  const sent = (format: 'generic' | 'slack'): unknown =>
    JSON.parse(notificationMessage(about, format, undefined, noon).body);
  expect(sent('generic')).toMatchObject({ access: lines });
  const text = expect.stringContaining(`\n${lines.join('\n')}\nRun: sluice approve sha256:1`) as string;
  expect(sent('slack')).toMatchObject({ blocks: [{ text: { text } }] });
  expect(generic([shop])).not.toHaveProperty('access');
});

describe('a generic message', () => {
  test('has twenty subjects and reports how many it omits', () => {
    expect(generic(many)).toMatchObject({ items: many.slice(0, 20), omitted: 3, time: '2026-03-14T12:00:00.000Z' });
    expect(generic([shop])).toMatchObject({ title: 'company: TITLE', items: [shop], omitted: 0 });
  });

  test('cuts what would change after two thousand characters, and only then', () => {
    const shown = (length: number): unknown => generic([{ ...shop, details: 'x'.repeat(length) }]);
    expect(shown(2_000)).toMatchObject({ items: [{ details: 'x'.repeat(2_000) }] });
    expect(shown(2_001)).toMatchObject({ items: [{ details: expect.stringMatching(/^x+…$/) as string }] });
    const short = 'x\n'.repeat(1_001);
    expect(generic([{ ...shop, details: short }])).toMatchObject({ items: [{ details: `${short.slice(0, 2_000)}…` }] });
  });
});
