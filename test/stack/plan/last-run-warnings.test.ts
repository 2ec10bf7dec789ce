import { expect, test } from 'vitest';
import { lastRunWarnings } from '../../../src/stack/plan/last-run-warnings.ts';
import type { RunRecord } from '../../../src/state/run-record.ts';

const settings = { watch: {} };
const policy = { maxDeletes: { count: 10 }, block: [] };
const run = {
  id: '0123456789abcdef',
  command: 'sluice apply',
  owner: 'ada',
  host: 'ci-1',
  began: '2026-03-02T00:00:00.000Z',
  requests: 3,
} as unknown as RunRecord;
const ended = { ...run, ended: '2026-03-02T00:01:00.000Z' } as RunRecord;

const unchanged = { hazards: [], changes: [{ address: 'ReservedAddr/a', action: 'none' }] };
const changing = { hazards: [], changes: [...unchanged.changes, { address: 'ReservedAddr/b', action: 'create' }] };
const hazardous = { ...unchanged, hazards: [{ code: 'PUBLICLY_EXPOSED' }] };

/** The codes of what is warned of, and how often the history was read. */
async function warned(
  plan: object,
  last: RunRecord | undefined,
  memory: { state?: object; snapshot?: object } = { state: {} },
) {
  let reads = 0;
  const runs = () => Promise.resolve(last === undefined ? [] : ((reads += 1), [last]));
  const { state, snapshot } = memory;
  const found = await lastRunWarnings({ state, snapshot, runs, policy, settings } as never, plan as never);
  return { codes: found.map(({ code }) => code), reads };
}

test('a plan that shows changes or hazards warns of a last run without an end', async () => {
  for (const plan of [changing, hazardous]) {
    expect((await warned(plan, run)).codes).toEqual(['LAST_RUN_UNFINISHED']);
    expect((await warned(plan, ended)).codes).toEqual([]);
    expect((await warned(plan, undefined)).codes).toEqual([]);
  }
});

test('a plan that shows neither reads no history, which takes requests to a store', async () => {
  expect(await warned(unchanged, run)).toEqual({ codes: [], reads: 0 });
  expect((await warned(changing, run)).reads).toBe(1);
});

test('a state that is missing is warned of where the last run wrote one, also where nothing would change', async () => {
  expect((await warned(unchanged, ended, {})).codes).toEqual(['STATE_MISSING']);
  expect((await warned(changing, run, {})).codes).toEqual(['STATE_MISSING', 'LAST_RUN_UNFINISHED']);
  expect((await warned(unchanged, { ...ended, requests: 0 }, {})).codes).toEqual([]);
  expect(await warned(unchanged, ended, { snapshot: {} })).toEqual({ codes: [], reads: 0 });
});

test('rules that sluice.yaml has loosened since are warned of where the plan shows something', async () => {
  const strict = { ...ended, rules: { max_deletes: '5', block: [], access: {}, exceptions: [], strict: false } };
  expect((await warned(changing, strict as RunRecord)).codes).toEqual(['RULES_LOOSENED']);
  expect((await warned(unchanged, strict as RunRecord)).codes).toEqual([]);
});

test('a history that cannot be read keeps nobody from planning, and is warned of', async () => {
  const runs = (): Promise<never> => Promise.reject(new Error('the store is away'));
  for (const state of [undefined, {}])
    expect(
      await lastRunWarnings({ state, snapshot: undefined, runs, policy, settings } as never, changing as never),
    ).toMatchObject([
      {
        code: 'RUNS_UNREADABLE',
        severity: 'warning',
        message: expect.stringContaining('the store is away') as string,
      },
    ]);
});
