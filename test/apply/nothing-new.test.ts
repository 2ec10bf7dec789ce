/* What carries no marker and has no natural key, after a refusal: it is sent again where a list shows nothing that is new. */
import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { asSomebody } from '../support/as-somebody.ts';
import { harness } from '../support/harness.ts';

const unmarked = {
  'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {region: eu, metadata: plain}
`,
};
const marker = JSON.stringify({ sluice: { v: 1, s: 'other/00000001', a: 'ReservedAddr/x', p: '', n: '0123456789ab' } });

/** How the creation ends beside addresses of somebody else, and how many there are then. */
async function refusedBeside(bodies: readonly object[], isSeen: boolean) {
  const walk = harness();
  for (const body of bodies) await asSomebody(walk, 'POST', '/reserved_addrs', body);
  const ids = () => walk.emulator.snapshot().resources.map(({ id }) => id);
  const { plan } = await walk.plan(unmarked);
  walk.emulator.intercept(faulty(parseFault('status-before=429@POST:ReservedAddr:1')));
  const { changes } = await walk.apply(plan, { seen: new Set(isSeen ? ids() : []) });
  return { ending: changes[0]?.ending, there: ids().length };
}

test.each([
  ['was there before', {}, true],
  ['has a marker', { metadata: marker }, false],
])('what %s is not new', async (_, body, isSeen) => {
  expect(await refusedBeside([body], isSeen)).toEqual({ ending: 'done', there: 2 });
});

test('what has no marker, and was not there before, may be what was created', async () => {
  expect(await refusedBeside([{}], false)).toEqual({ ending: 'unknown', there: 1 });
  expect(await refusedBeside([{}, { metadata: marker }], false)).toEqual({ ending: 'unknown', there: 2 });
});
