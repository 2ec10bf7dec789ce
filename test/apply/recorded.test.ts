import { expect, test } from 'vitest';
import { refusalAnswer, refuse } from '../../src/emulator/answer.ts';
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
    method === 'PATCH' ? refusalAnswer(refuse(400, undefined, 'not this time'), 'op_1') : next(),
  );
  const added = '---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: added}\nspec: {region: eu}\n';
  const { plan } = await walk.plan(audit('two', added));
  await walk.apply(plan, { revision: { ...revision, commit: 'decade' } });
  expect(walk.state()?.applied).toBeUndefined();
});
