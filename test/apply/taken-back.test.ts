/*
 * A replacement that a run has begun, and that the manifests then no longer want: the old instance is still there, and
 * just as it should be. It is kept, and what was to replace it is deleted.
 */
import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { harness, type Harness } from '../support/harness.ts';

const address = (region: string, more = '') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: db}
lifecycle: {protect: false}
spec: {region: ${region}${more}}
`,
});

function changing({ changes }: Plan): string[] {
  return changes
    .filter(({ action }) => action !== 'none')
    .map(({ address: name, action }) => `${action} ${name.replace(/_\w{27}/g, '_ID')}`);
}

/** An address in the EU whose replacement is there while the service, or the run, is in trouble, with its id. */
async function replaced(
  trouble: (walk: Harness) => () => void,
): Promise<{ readonly walk: Harness; readonly id: string }> {
  const walk = harness();
  await walk.converge(address('eu'));
  const id = walk.state()?.entries['ReservedAddr/db']?.id ?? '';
  const { plan } = await walk.plan(address('us'));
  const end = trouble(walk);
  const { changes } = await walk.apply(plan);
  expect(changes[0]?.ending).not.toBe('done');
  end();
  expect(walk.emulator.snapshot().resources).toHaveLength(2);
  return { walk, id };
}

/** The answer to the creation is lost, and nothing can be looked up. */
const isLost = ({ emulator }: Harness): (() => void) => {
  let isSent = false;
  return emulator.intercept(async ({ method }, next) => {
    if (method === 'GET' && !isSent) return next();
    if (method === 'POST') await next();
    isSent = true;
    return { status: 500, headers: {}, body: '{}' };
  });
};

/** The service deletes nothing. */
const isKept = ({ emulator }: Harness): (() => void) =>
  emulator.intercept(({ method }, next) =>
    method === 'DELETE' ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1') : next(),
  );

test.each([
  ['before it knew of the new one', isLost],
  ['before the old one was deleted', isKept],
])('by a run that ended %s', async (_, trouble) => {
  const { walk, id } = await replaced(trouble);
  const { plan } = await walk.converge(address('eu'));
  expect(changing(plan)).toEqual(['delete ReservedAddr/db (duplicate ra_ID)']);
  expect(walk.emulator.snapshot().resources.map((one) => one.id)).toEqual([id]);
  expect(walk.state()?.entries['ReservedAddr/db']).toMatchObject({ id, spec: { region: 'eu' } });
  expect(walk.state()?.entries['ReservedAddr/db']).not.toHaveProperty('deposed');
  expect(walk.state()?.intents ?? {}).toEqual({});
});

test.each([
  ['before it knew of the new one', isLost, 'duplicate'],
  ['before the old one was deleted', isKept, 'deposed'],
])(
  'and whose new one cannot be deleted either, by a run that ended %s: the next run deletes it',
  async (_, trouble, leftover) => {
    const { walk, id } = await replaced(trouble);
    const serveAgain = isKept(walk);
    await walk.apply((await walk.plan(address('eu'))).plan);
    serveAgain();
    const { plan } = await walk.converge(address('eu'));
    expect(changing(plan)).toEqual([`delete ReservedAddr/db (${leftover} ra_ID)`]);
    expect(walk.emulator.snapshot().resources.map((one) => one.id)).toEqual([id]);
  },
);

test('but what the manifests still want is finished', async () => {
  const { walk, id } = await replaced(isLost);
  const { plan } = await walk.converge(address('us'));
  expect(changing(plan)).toEqual(['delete ReservedAddr/db (deposed ra_ID)']);
  expect(walk.emulator.snapshot().resources.map((one) => one.id)).not.toContain(id);
});

test.each([
  ['before it knew of the new one', isLost],
  ['before the old one was deleted', isKept],
])('and an old one that is not as wanted is not kept either, by a run that ended %s', async (_, trouble) => {
  const { walk, id } = await replaced(trouble);
  await walk.converge(address('ap'));
  expect(walk.emulator.snapshot().resources).toHaveLength(1);
  expect(walk.emulator.snapshot().resources.map((one) => one.id)).not.toContain(id);
});
