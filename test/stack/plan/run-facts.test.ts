import { expect, test } from 'vitest';
import { doneRun, possiblyDone } from '../../../src/stack/plan/run-facts.ts';

test('the record of a run counts how its changes ended, and what was done', () => {
  const changes = [
    { address: 'ReservedAddr/a', action: 'create', ending: 'done', id: 'ra_1' },
    { address: 'ReservedAddr/b', action: 'create', ending: 'done' },
    { address: 'ReservedAddr/c', action: 'update', ending: 'failed' },
    { address: 'ReservedAddr/d', action: 'none', ending: 'done' },
  ] as const;
  const outcome = { changes, requests: 3, interrupted: false, unresolved: [], duplicates: [] };
  expect(doneRun(outcome)).toMatchObject({
    done: { create: 2 },
    endings: { done: 2, failed: 1, unknown: 0, skipped: 0, 'not-started': 0 },
    changes: [{ id: 'ra_1' }, { address: 'ReservedAddr/b' }, { address: 'ReservedAddr/c' }],
    omitted: 0,
  });
});

test('of a run that has only begun, every change may have been made', () => {
  const changes = [
    { address: 'ReservedAddr/a', action: 'update', id: 'ra_1' },
    { address: 'ReservedAddr/b', action: 'none' },
  ] as const;
  expect(possiblyDone(changes)).toMatchObject({
    done: {},
    endings: { done: 0, unknown: 1 },
    changes: [{ address: 'ReservedAddr/a', ending: 'unknown', id: 'ra_1' }],
  });
});
