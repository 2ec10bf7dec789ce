import { describe, expect, test } from 'vitest';
import { harness } from '../support/harness.ts';

const address = (name: string, region = 'eu') => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
lifecycle: {protect: false}
spec: {region: ${region}}
`;

describe('a plan that may not be carried out', () => {
  test('is not begun when a change is blocked: each is reported with its reason', async () => {
    const walk = harness({ policy: { maxDeletes: { count: 0 }, block: [] } });
    await walk.converge({ 'stack.yaml': `${address('a')}---\n${address('b')}` });
    const { plan } = await walk.plan({ 'stack.yaml': address('b', 'us') });
    const why = expect.stringMatching(/^ReservedAddr\/[ab]: \w/) as string;
    const before = walk.emulator.count();
    await expect(walk.apply(plan)).rejects.toMatchObject({ code: 'BLOCKED', details: [why, why] });
    expect(walk.emulator.count()).toBe(before);
  });

  test('is not begun when it has errors', async () => {
    const other = harness({ stack: { name: 'staging', id: '00000001' } });
    const edge = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443]}
`;
    await other.converge({ 'stack.yaml': edge });
    const walk = harness({ emulator: other.emulator });
    const { plan } = await walk.plan({ 'stack.yaml': edge });
    await expect(walk.apply(plan)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});
