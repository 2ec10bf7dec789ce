import { expect, test } from 'vitest';
import { shownChanges, shownPlan, wholePlanText } from '../../src/watch/shown-by-watch.ts';
import { planOf } from '../plan/support.ts';

const hosts = (count: number): string[] => Array.from({ length: count }, (_, n) => `host-${String(n)}.example.com:443`);

test('the status has a plan and its changes as text, with both values of each field', async () => {
  const plan = planOf({
    wanted: { 'HTTPSEdge/a': { description: 'new' } },
    ours: { 'HTTPSEdge/a': { description: 'old' } },
  });
  expect(await shownPlan(plan)).toContain('description: old -> new');
  const change = shownChanges(plan);
  expect(change('HTTPSEdge/a')).toMatchObject({
    details: expect.stringContaining('description: old -> new') as string,
    fields: [{ pointer: '/description', desired: 'new', actual: 'old' }],
  });
  expect(change('HTTPSEdge/b')).toEqual({ details: '', fields: [] });
});

test('a plan that is very long is cut, and says by how much and how to see all of it', async () => {
  const many = Array.from({ length: 200 }, (_, n) => [`HTTPSEdge/e${String(n)}`, { hostports: hosts(20) }] as const);
  const plan = planOf({ wanted: Object.fromEntries(many) });
  const whole = await wholePlanText(plan);
  const left = String(whole.length - 65_536);
  expect(await shownPlan(plan)).toBe(`${whole.slice(0, 65_536)}\n… ${left} more characters: run \`sluice plan\`\n`);
  expect(await wholePlanText(plan)).toBe(whole);
  const short = await shownPlan(planOf({ wanted: { 'HTTPSEdge/a': {} } }));
  expect(short).not.toContain('more characters');
});

test('of a change with very many fields the status has a hundred, and of a long text the beginning', () => {
  const plan = planOf({
    wanted: { 'HTTPSEdge/a': { description: 'new' }, 'HTTPSEdge/b': { hostports: hosts(1_000) } },
    ours: { 'HTTPSEdge/a': { description: 'old' } },
  });
  const changes = plan.changes.map((change) => ({
    ...change,
    fields: change.fields.flatMap((field) => Array.from({ length: 120 }, () => field)),
  }));
  const change = shownChanges({ ...plan, changes });
  expect(change('HTTPSEdge/a').fields).toHaveLength(100);
  const { details } = change('HTTPSEdge/b');
  expect(details.length).toBeLessThan(16_384 + 100);
  expect(details).toMatch(/\n… \d+ more characters: run `sluice plan`\n$/);
});

test('why a change waits is not reported in its text, since the status shows it beside it', () => {
  const plan = planOf({ ours: { 'ReservedAddr/a': {} } });
  const blocked = { code: 'PROTECTED', message: 'it is protected here' } as const;
  const changes = plan.changes.map((change) => ({ ...change, blocked }));
  const { details } = shownChanges({ ...plan, changes })('ReservedAddr/a');
  expect(details).not.toBe('');
  expect(details).not.toContain(blocked.message);
});
