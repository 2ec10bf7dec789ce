import { expect, test } from 'vitest';
import { doneRun, plannedRun, possiblyDone } from '../../../src/stack/plan/run-facts.ts';

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

test('the record of a run reports of which commit it is, where it runs and who approved it, as far as that is known', () => {
  const about = { digest: 'sha256:1', planText: 'a plan', rules: {} as never };
  const unknown = { commit: undefined, uncommitted: undefined, approvals: [] };
  expect(plannedRun({}, { ...about, ...unknown })).toEqual(about);
  const approval = { digest: 'sha256:1', by: 'ada', at: Date.UTC(2026, 2, 2) };
  const pipeline = {
    CI: 'true',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_RUN_ID: '7',
  };
  expect(
    plannedRun(
      { GITHUB_ACTIONS: 'true', ...pipeline },
      { ...about, commit: 'c0ffee', uncommitted: false, approvals: [approval] },
    ),
  ).toEqual({
    ...about,
    commit: 'c0ffee',
    uncommitted: false,
    url: 'https://github.com/a/b/actions/runs/7',
    approvals: [{ ...approval, at: '2026-03-02T00:00:00.000Z' }],
  });
});

test('the record of a large run has five hundred of its changes, and counts the others', () => {
  const changes = Array.from(
    { length: 502 },
    (_, n) => ({ address: `ReservedAddr/${n}`, action: 'create', ending: 'done' }) as const,
  );
  const run = doneRun({ changes, requests: 502, interrupted: false });
  expect([run.changes.length, run.omitted, run.done]).toEqual([500, 2, { create: 502 }]);
});
