/*
 * A request that only prepares others takes something away for a while. State has it before the request is sent: a run that
 * ends in between has done it, and not somebody else.
 */
import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { harness, type Harness } from '../support/harness.ts';
import { rig } from '../watch/rig.ts';

const shop = (a: string, b: string, more = '') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {name: open, match_type: path_prefix, match: /, backend: {backend_id: bkd_app}}
    - {name: a, match_type: path_prefix, match: ${a}, backend: {backend_id: bkd_a}, ip_restriction: {ip_policy_ids: [ipp_1]}${more}}
    - {name: b, match_type: path_prefix, match: ${b}, backend: {backend_id: bkd_b}, ip_restriction: {ip_policy_ids: [ipp_1]}}
`,
});
const open = 'HTTPSEdgeRoute/shop:open';

/** A service that refuses some requests. */
function refusing(
  { emulator }: Pick<Harness, 'emulator'>,
  isRefused: (method: string, body: string) => boolean,
): () => void {
  return emulator.intercept(({ method, body }, next) =>
    isRefused(method, body) ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1') : next(),
  );
}

/** A stack in which two routes trade their matches. */
async function trading() {
  const walk = harness();
  await walk.converge(shop('/a', '/b'));
  const { plan } = await walk.plan(shop('/b', '/a'));
  expect(plan.steps.map(({ id }) => id)).toContain(`${open} prepare remove backend`);
  return { walk, plan };
}

test('a backend that was removed for a while is not taken for drift once the run has ended', async () => {
  const { walk, plan } = await trading();
  const serveAgain = refusing(walk, (method, body) => method === 'PATCH' && body.includes('"/a"'));
  await walk.apply(plan);
  serveAgain();
  const next = await walk.plan(shop('/b', '/a'));
  const change = next.plan.changes.find(({ address }) => address === open);
  expect(change?.fields).toMatchObject([{ path: ['backend'], reason: 'changed' }]);
  await walk.converge(shop('/b', '/a'));
  expect(walk.state()?.entries[open]?.spec).toMatchObject({ backend: { backend_id: 'bkd_app' } });
});

test('a run that is killed in between cannot record it afterwards', async () => {
  const { walk, plan } = await trading();
  const recorded: unknown[] = [];
  walk.emulator.intercept(({ method }, next) => {
    if (method === 'DELETE') recorded.push(walk.state()?.entries[open]?.attempted?.[0]?.['backend'] ?? 'nothing');
    return next();
  });
  await walk.apply(plan);
  expect(recorded).toEqual(['nothing']);
  await walk.converge(shop('/b', '/a'));
});

test('a run that cannot record it does not remove the backend', async () => {
  const { walk, plan } = await trading();
  const sent: string[] = [];
  walk.emulator.intercept(({ method }, next) => {
    sent.push(method);
    return next();
  });
  const { changes } = await walk.apply(plan, {
    save: ({ entries }) =>
      entries[open]?.attempted === undefined ? Promise.resolve() : Promise.reject(new Error('disk full')),
  });
  expect(changes.find(({ address }) => address === open)).toMatchObject({ code: 'JOURNAL_NOT_WRITTEN' });
  expect(sent).not.toContain('DELETE');
});

test('a backend whose removal is refused stays recorded', async () => {
  const { walk, plan } = await trading();
  const before = walk.state()?.entries[open];
  refusing(walk, (method) => method === 'DELETE');
  await walk.apply(plan);
  expect(walk.state()?.entries[open]).toEqual(before);
});

test('a watch that reverts nothing of others gives the backend back', async () => {
  const watch = rig(shop('/a', '/b'), { healDrift: false });
  await watch.rests();
  const serveAgain = refusing(watch.account, (method, body) => method === 'PATCH' && body.includes('"/a"'));
  watch.write(shop('/b', '/a'));
  await watch.rests();
  expect(watch.spec(open)).not.toHaveProperty('backend');
  serveAgain();
  watch.write(shop('/b', '/a', ', compression: {}'));
  const { pending } = await watch.rests();
  expect(pending).toEqual([]);
  expect(watch.spec(open)).toMatchObject({ backend: { backend_id: 'bkd_app' } });
});
