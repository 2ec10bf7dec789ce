import { describe, expect, test } from 'vitest';
import { stackText } from '../../../src/cli/commands/watch/stack-text.ts';
import { pendingReasons, type PendingChange, type WatchStatus } from '../../../src/model/status/watch-status.ts';
import { statusPage } from '../../support/status-page.ts';
import { pendingCountText, pendingText, pendingWords } from '../../../src/render/status/pending-words.ts';
import type { StatusJson } from '../../../src/render/status/status-json-schema.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { conditionsOf } from '../../../src/watch/status/conditions.ts';
import { noon } from '../../watch/company.ts';
import { allWell } from '../../watch/statuses.ts';
import { openNotifications } from '../../watch/notify/open-notifications.ts';

describe('one table has the words for what a change waits for', () => {
  test.each(pendingReasons)('%s: the page, the terminal, JSON and notifications say the same', (reason) => {
    const change: PendingChange = {
      address: 'HTTPSEdge/shop',
      action: 'update',
      reason,
      message: 'because',
      hazards: [],
      details: '',
      fields: [],
      since: noon,
    };
    const facts = { ...allWell, pending: [change] };
    const status = { ...facts, conditions: conditionsOf(facts, []) };
    const json = JSON.parse(jsonText(statusJson(status))) as StatusJson;
    expect(json.pending[0]?.summary).toBe(pendingText(change));
    expect(stackText(json)).toContain(`update HTTPSEdge/shop: ${pendingText(change)}, since`);
    if (!['retry', 'drift-conflict'].includes(reason)) expect(textOf(status)).toContain(pendingWords(reason));
    for (const { items } of openNotifications(status))
      expect(items.map(({ message }) => message)).toEqual([`update ${pendingText(change)}: because`]);
  });

  test('what waits for another change names it, and a retry its time', () => {
    expect(pendingText({ reason: 'dependency', waitsFor: 'HTTPSEdge/api' })).toBe('waits for HTTPSEdge/api');
    expect(pendingText({ reason: 'retry', until: Date.UTC(2026, 0, 2, 12, 8) })).toBe('retried at 12:08:00 UTC');
    expect(pendingCountText('approval', 1)).toBe('1 change requires approval');
    expect(pendingCountText('approval', 3)).toBe('3 changes require approval');
  });
});

/** A page as text. */
function textOf(status: WatchStatus): string {
  return statusPage(status)
    .html.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,])/g, '');
}
