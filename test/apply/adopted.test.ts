import { expect, test } from 'vitest';
import { asSomebody } from '../support/as-somebody.ts';
import { harness } from '../support/harness.ts';

test('an adoption is remembered with the nonce that was drawn for its marker', async () => {
  const walk = harness();
  await asSomebody(walk, 'POST', '/reserved_addrs', {});
  const id = walk.emulator.snapshot().resources[0]?.id ?? '';
  const { plan } = await walk.plan({
    'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
lifecycle: {adopt: ${id}}
spec: {description: ours}
`,
  });
  expect((await walk.apply(plan, { drawNonce: () => 'c0ffee012345' })).changes).toMatchObject([{ ending: 'done', id }]);
  expect(walk.state()?.entries['ReservedAddr/devices']).toMatchObject({ id, nonce: 'c0ffee012345' });
  expect(walk.emulator.snapshot().resources[0]?.spec['metadata']).toContain('c0ffee012345');
});
