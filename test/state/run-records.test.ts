import { expect, test } from 'vitest';
import { beginRun, readRuns, type RunStore } from '../../src/state/run-records.ts';
import { planTextOf, runBytes, type DoneRun, type PlannedRun } from '../../src/state/run-record.ts';
import { memoryStore, sharedMemory } from './remote/memory-store.ts';

const facts: DoneRun = {
  interrupted: false,
  requests: 2,
  done: { create: 2 },
  endings: { done: 2, failed: 0, unknown: 0, skipped: 0, 'not-started': 0 },
  changes: [{ address: 'ReservedAddr/a', action: 'create', ending: 'done', id: 'ra_1' }],
  omitted: 0,
};
const run = { command: 'sluice apply', owner: 'ada', host: 'runner' };
const commit = 'abc1234';
const day = 86_400_000;
const start = Date.parse('2030-01-01T00:00:00Z');

test('runs are listed newest first, each with who, when, which commit and what is done', async () => {
  const store = memoryStore(sharedMemory());
  await addRun(store, start, 1);
  await addRun(store, start + 1, 2, { planText: '+ a', url: 'https://ci' }, { ...facts, interrupted: true });
  const runs = await readRuns(store, 200);
  expect(runs).toMatchObject([
    { fence: 2, interrupted: true, url: 'https://ci', ended: '2030-01-01T00:00:00.001Z' },
    { fence: 1, commit, began: '2030-01-01T00:00:00.000Z', ...facts, ...run },
  ]);
  expect(runs.map(planTextOf)).toEqual(['+ a', undefined]);
  expect(await readRuns(store, 1)).toHaveLength(1);
});

test('the last 200 runs of the last 90 days are kept', async () => {
  const store = memoryStore(sharedMemory());
  await addRun(store, start, 1);
  for (let fence = 2; fence <= 210; fence++) await addRun(store, start + day + fence, fence);
  expect((await readRuns(store, 1_000)).map(({ fence }) => fence)).toEqual(
    Array.from({ length: 200 }, (_, n) => 210 - n),
  );
  await addRun(store, start + 91 * day + 205, 211);
  expect((await readRuns(store, 1_000)).map(({ fence }) => fence)).toEqual([211, 210, 209, 208, 207, 206, 205]);
});

test('a record that is damaged or newer is left out, and a long plan is cut to what fits', async () => {
  const memory = sharedMemory();
  const store = memoryStore(memory);
  let seed = 1;
  const noise = (): string => String((seed = (seed * 48_271) % 2_147_483_647));
  const planText = Array.from({ length: 20_000 }, (_, n) => `+ line ${n} ${noise()}\n`).join('');
  await addRun(store, start, 1, { planText });
  await store.swap('runs/20300101T000000001Z.2', undefined, Buffer.from('{"run":2}'));
  await store.swap('runs/20300101T000000002Z.3', undefined, Buffer.from('no'));
  const runs = await readRuns(store, 200);
  expect(runs).toHaveLength(1);
  const [text = ''] = runs.map(planTextOf);
  expect(text.startsWith('+ line 0 ')).toBe(true);
  expect(text.endsWith('omitted (size limit)\n')).toBe(true);
  expect(runs.map((one) => runBytes(one).length < 24_000)).toEqual([true]);
});

test('a plan that is long, but says the same again and again, is cut where it can still be read', async () => {
  const store = memoryStore(sharedMemory());
  const planText = '+ the same line\n'.repeat(400_000);
  await addRun(store, start, 1, { planText });
  const [text = ''] = (await readRuns(store, 1)).map(planTextOf);
  expect(text.length).toBeGreaterThan(100_000);
  expect(planText.startsWith(text)).toBe(true);
});

test('a run that was killed keeps the record that it began with: its plan, its approvals, and what it may have done', async () => {
  const store = memoryStore(sharedMemory());
  const approvals = [{ digest: 'sha256:1', by: 'ada', at: '2030-01-01T00:00:00.000Z', reason: 'CHG-1' }];
  const planned = { commit, digest: 'sha256:2', approvals, planText: '- ReservedAddr/a' };
  const possible = { ...facts, done: {}, endings: { ...facts.endings, done: 0, unknown: 1 }, requests: 0 };
  await beginRun(store, () => start, { planned, possible }, { ...run, fence: 1 });
  await addRun(store, start + 1, 2);
  const [, killed] = await readRuns(store, 200);
  expect(killed).toMatchObject({ commit, digest: 'sha256:2', approvals, endings: { unknown: 1 } });
  expect(killed?.ended).toBeUndefined();
  expect(killed && planTextOf(killed)).toBe('- ReservedAddr/a');
});

async function addRun(
  store: RunStore,
  at: number,
  fence: number,
  planned: PlannedRun = {},
  done: DoneRun = facts,
): Promise<void> {
  const end = await beginRun(store, () => at, { planned: { commit, ...planned }, possible: facts }, { ...run, fence });
  await end(done);
}
