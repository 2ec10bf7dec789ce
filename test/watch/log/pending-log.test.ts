import { expect, test } from 'vitest';
import type { LogFields } from '../../../src/diagnostics/log.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { PendingChange } from '../../../src/model/status/watch-status.ts';
import { logPending } from '../../../src/watch/log-lines.ts';

const change: PendingChange = {
  ...{ address: 'HTTPSEdge/shop', action: 'update', reason: 'manual', message: 'heal_drift is off', hazards: [] },
  ...{ details: '', fields: [], since: 0 },
};
const place = { file: 'shop.yaml', line: 7, col: 1 };

/** The lines of pending changes, with their fields. */
function lines(pending: readonly PendingChange[], changes: readonly object[]): readonly (readonly [string, unknown])[] {
  const logged: (readonly [string, LogFields | undefined])[] = [];
  logPending((level, event, message, fields) => logged.push([`${level} ${event}: ${message}`, fields]), pending, {
    changes,
  } as unknown as Plan);
  return logged;
}

test('a pending change is a line with what it waits for, why, and its place in the manifests', () => {
  const { address, action } = change;
  expect(lines([change, { ...change, message: '' }], [{ address, place }])).toEqual([
    [
      'info pending: HTTPSEdge/shop requires a manual apply: heal_drift is off',
      { address, action, place: 'shop.yaml:7' },
    ],
    ['info pending: HTTPSEdge/shop requires a manual apply', { address, action, place: 'shop.yaml:7' }],
  ]);
});

test('it has both values of each field, and no place where it is in no manifest', () => {
  const fields = ['/a', '/b'].map((pointer) => ({ pointer, desired: 'new', actual: 'old' }));
  const [[, facts] = []] = lines([{ ...change, fields }], [{ address: change.address }]);
  expect(facts).toEqual({ address: change.address, action: 'update', fields: '/a: old -> new, /b: old -> new' });
  expect(Object.keys(lines([change], [])[0]?.[1] ?? {})).toEqual(['address', 'action']);
});
