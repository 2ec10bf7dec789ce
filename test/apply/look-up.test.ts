import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';

test.each([
  ['by its marker', 'ReservedAddr', '{region: eu}'],
  ['by its natural key', 'AgentIngress', '{domain: agents.example.com, metadata: plain}'],
])('what is carried out only after the first look for it is found %s by the second', async (_, kind, spec) => {
  const walk = harness();
  const { plan } = await walk.plan({
    'stack.yaml': `apiVersion: sluice/v1\nkind: ${kind}\nmetadata: {name: late}\nspec: ${spec}\n`,
  });
  walk.emulator.intercept(faulty(parseFault(`late-commit=list@POST:${kind}:1`)));
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'done' }]);
  expect(walk.emulator.snapshot().resources.map(({ id }) => id)).toEqual([walk.state()?.entries[`${kind}/late`]?.id]);
  const posts = walk.emulator.log.filter(({ method }) => method === 'POST');
  expect(posts).toHaveLength(1);
});

test('a creation that the service cannot report on stays recorded as unresolved, also where endpoints would show it', async () => {
  const walk = harness({ profile: 'documented', service: { edgeEndpoints: 'hidden' } });
  const { plan } = await walk.plan({
    'stack.yaml':
      'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {hostports: [shop.example.com:443]}\n',
  });
  walk.emulator.intercept(faulty(parseFault('reset-after@POST:HTTPSEdge:1')));
  expect((await walk.apply(plan)).changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
  expect(walk.state()?.intents).toMatchObject({ 'HTTPSEdge/shop': { unresolved: true } });
});
