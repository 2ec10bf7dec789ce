import { expect, test } from 'vitest';
import { runFacts } from '../../../src/stack/plan/run-facts.ts';

test('the record of a run counts how its changes ended, and what was done', () => {
  const changes = [
    { address: 'ReservedAddr/a', action: 'create', ending: 'done', id: 'ra_1' },
    { address: 'ReservedAddr/b', action: 'create', ending: 'done' },
    { address: 'ReservedAddr/c', action: 'update', ending: 'failed' },
    { address: 'ReservedAddr/d', action: 'none', ending: 'done' },
  ] as const;
  const outcome = { changes, requests: 3, interrupted: false, unresolved: [], duplicates: [] };
  const facts = runFacts(outcome, {}, { commit: undefined, approvals: [], digest: 'sha256:1', planText: 'plan' });
  expect(facts).toMatchObject({
    done: { create: 2 },
    endings: { done: 2, failed: 1, unknown: 0, skipped: 0, 'not-started': 0 },
    changes: [{ id: 'ra_1' }, { address: 'ReservedAddr/b' }, { address: 'ReservedAddr/c' }],
    omitted: 0,
  });
});
