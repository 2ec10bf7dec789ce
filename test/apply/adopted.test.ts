import { expect, test } from 'vitest';
import { harness } from '../support/harness.ts';

test('an adoption is remembered with the nonce that was drawn for its marker', async () => {
  const walk = harness();
  await walk.emulator.handle({
    method: 'POST',
    path: '/reserved_addrs',
    headers: { authorization: 'Bearer other', 'example-version': '2', 'content-type': 'application/json' },
    body: '{}',
  });
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
