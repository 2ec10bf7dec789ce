import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { harness } from '../support/harness.ts';

const devices = (metadata: string) => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: devices}
spec: {region: eu${metadata}}
`,
});

test('a creation that nobody could look up is not sent again because its manifest would carry a marker by now', async () => {
  const walk = harness();
  const end = walk.emulator.intercept(faulty(parseFault('reset-after@POST:ReservedAddr:1')));
  const plain = await walk.apply((await walk.plan(devices(', metadata: plain'))).plan);
  end();
  expect(plain.changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
  for (let run = 0; run < 2; run++) {
    const { plan } = await walk.plan(devices(''));
    expect(plan.unresolved).toMatchObject([{ address: 'ReservedAddr/devices' }]);
    expect(await walk.apply(plan)).toMatchObject({ changes: [{ ending: 'unknown' }], requests: 0 });
  }
  expect(walk.emulator.snapshot().resources.filter(({ kind }) => kind === 'ReservedAddr')).toHaveLength(1);
});
