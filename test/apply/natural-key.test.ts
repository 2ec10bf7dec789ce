import { expect, test } from 'vitest';
import { naturalKey } from '../../src/apply/natural-key.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { kinds } from '../../src/kinds/index.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness } from '../support/harness.ts';

const edge = (hostports: string) => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [${hostports}], metadata: plain}
`,
});

/** How a creation ends whose response is lost while somebody else makes an edge with such hostports. */
async function createdBeside(own: string, theirs: readonly string[], metadata = '') {
  const walk = harness({ service: { hostports: 'shared' } });
  const { plan } = await walk.plan(edge(own));
  let isMade = false;
  const lost = faulty(parseFault('reset-before@POST:HTTPSEdge:1'));
  walk.emulator.intercept(async (exchange, next, world) => {
    if (exchange.method === 'POST' && !isMade) {
      isMade = true;
      await asSomebody(walk, 'POST', '/edges/https', { hostports: theirs, metadata });
      return lost(exchange, next, world);
    }
    return next();
  });
  const { changes } = await walk.apply(plan);
  return { changes, entries: walk.state()?.entries };
}

test('what carries no marker is known by what only one may have, in whatever order and case that is written', async () => {
  const { changes } = await createdBeside('b.example.com:443, a.example.com:443', [
    'A.example.com:443',
    'b.example.com:443',
  ]);
  expect(changes).toMatchObject([{ ending: 'done' }]);
});

test('two that both have nothing of that are not taken for one: the edge of somebody else does not become ours', async () => {
  const { changes, entries } = await createdBeside('', []);
  expect(changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
  expect(entries).toEqual({});
});

test('what has the marker of another stack is not taken for what carries none', async () => {
  const marker = JSON.stringify({ sluice: { s: 'other/00000002', a: 'HTTPSEdge/shop', p: '', n: '0123456789ab' } });
  const { changes, entries } = await createdBeside('shop.example.com:443', ['shop.example.com:443'], marker);
  expect(changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
  expect(entries).toEqual({});
});

test('a certificate authority is known by its certificates, and an address by nothing', () => {
  const authority = kinds.named('CertificateAuthority')!;
  expect(naturalKey(authority, { ca_pem: 'one' })).toBe(naturalKey(authority, { ca_pem: 'one\n', description: 'A' }));
  expect(naturalKey(authority, { ca_pem: 'one' })).not.toBe(naturalKey(authority, { ca_pem: 'two' }));
  expect(naturalKey(authority, { ca_pem: 'one' })).toBeDefined();
  expect(naturalKey(authority, { ca_pem: '' })).toBeUndefined();
  expect(naturalKey(kinds.named('ReservedAddr')!, { region: 'eu' })).toBeUndefined();
});
