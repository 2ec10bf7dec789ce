import { expect, test } from 'vitest';
import { refusalAnswer, Refusal } from '../../src/emulator/answer.ts';
import { emptyState } from '../../src/state/store.ts';
import { harness } from '../support/harness.ts';

const audit = (description: string, more = '') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: EventSubscription
metadata: {name: audit}
spec: {description: ${description}, sources: [{type: a.v0}]}
${more}`,
});

test('state has of a resource what applies to it, and no more', async () => {
  const walk = harness();
  await walk.converge(audit('one'));
  const entry = walk.state()?.entries['EventSubscription/audit'] ?? {};
  expect(Object.keys(entry).sort()).toEqual(['id', 'kind', 'nonce', 'protect', 'retain', 'source', 'spec']);
});

test('state has the revision once all of it is applied, and until the next change; an equal one is not saved again', async () => {
  const walk = harness();
  const revision = { commit: 'c0ffee', manifests: 'sha256:1' };
  await walk.apply((await walk.plan(audit('one'))).plan, { revision });
  const state = walk.state();
  expect(state?.applied).toEqual(revision);
  await walk.apply((await walk.plan(audit('one'))).plan, { revision: { ...revision } });
  expect(walk.state()).toBe(state);
  walk.emulator.intercept(({ method }, next) =>
    method === 'PATCH' ? refusalAnswer(new Refusal(400, undefined, 'not this time'), 'op_1') : next(),
  );
  const added = '---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: added}\nspec: {region: eu}\n';
  const { plan } = await walk.plan(audit('two', added));
  await walk.apply(plan, { revision: { ...revision, commit: 'decade' } });
  expect(walk.state()?.applied).toBeUndefined();
});

test('state keeps the revision when a run that has nothing to do knows of none', async () => {
  const walk = harness();
  const revision = { commit: 'c0ffee', manifests: 'sha256:1' };
  await walk.apply((await walk.plan(audit('one'))).plan, { revision });
  await walk.apply((await walk.plan(audit('one'))).plan);
  expect(walk.state()?.applied).toEqual(revision);
});

test('state has no revision while nobody has said what came of an earlier creation, though all changes are done', async () => {
  const edge = {
    'stack.yaml':
      'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [shop.example.com:443]}\n',
  };
  const reported = { profile: 'documented', service: { edgeEndpoints: 'hidden' } } as const;
  const first = harness(reported);
  await first.converge(edge);
  const made = first.state() ?? emptyState('7f3a9c21', 'http://127.0.0.1');
  const intents = { 'HTTPSEdge/shop': { kind: 'HTTPSEdge', nonces: ['0123456789ab'] } };
  const walk = harness({ ...reported, emulator: first.emulator, state: { ...made, intents } });
  const { plan } = await walk.plan(edge);
  const outcome = await walk.apply(plan, { revision: { commit: 'c0ffee', manifests: 'sha256:1' } });
  expect(outcome).toMatchObject({ changes: [], unresolved: [{ address: 'HTTPSEdge/shop' }] });
  expect(walk.state()?.applied).toBeUndefined();
});

test('state is not written for lines that moved, but with another change it has the new ones', async () => {
  const walk = harness();
  const added = '---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: added}\nspec: {region: eu}\n';
  const source = () => walk.state()?.entries['EventSubscription/audit']?.source;
  await walk.converge(audit('one'));
  const before = walk.state();
  const moved = (more: string) => ({ 'stack.yaml': `# One line more.\n${audit('one', more)['stack.yaml']}` });
  await walk.apply((await walk.plan(moved(''))).plan);
  expect(walk.state()).toBe(before);
  expect(source()).toBe('stack.yaml:1');
  await walk.converge(moved(added));
  expect(source()).toBe('stack.yaml:2');
});

test('an answer to a creation that shows no metadata is one all the same', async () => {
  const walk = harness();
  walk.emulator.intercept(async ({ method }, next) => {
    const answer = await next();
    return method === 'POST' ? { ...answer, body: answer.body.replace('"metadata"', '"former_metadata"') } : answer;
  });
  const { plan } = await walk.plan(audit('one'));
  expect(await walk.apply(plan)).toMatchObject({ changes: [{ ending: 'done' }], requests: 1 });
});
