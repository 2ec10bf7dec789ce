import { expect, test } from 'vitest';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { resolvedState } from '../../src/state/resolved.ts';
import { emptyState } from '../../src/state/store.ts';
import { harness } from '../support/harness.ts';

const devices = (metadata: string, name = 'devices') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: ${name}}
${name === 'devices' ? '' : 'lifecycle: {moved_from: ReservedAddr/devices}\n'}spec: {region: eu${metadata}}
`,
});

/** A stack with a creation that was carried out, and that the service cannot report. */
async function withLostCreation() {
  const walk = harness();
  const end = walk.emulator.intercept(faulty(parseFault('reset-after@POST:ReservedAddr:1')));
  const { changes } = await walk.apply((await walk.plan(devices(', metadata: plain'))).plan);
  end();
  expect(changes).toMatchObject([{ ending: 'unknown', code: 'OUTCOME_UNKNOWN' }]);
  return walk;
}

test('a creation that nobody could look up is not sent again because its manifest would carry a marker by now', async () => {
  const walk = await withLostCreation();
  for (let run = 0; run < 2; run++) {
    const { plan } = await walk.plan(devices(''));
    expect(plan.unresolved).toMatchObject([{ address: 'ReservedAddr/devices' }]);
    expect(await walk.apply(plan)).toMatchObject({ changes: [{ ending: 'unknown' }], requests: 0 });
  }
  expect(walk.emulator.snapshot().resources.filter(({ kind }) => kind === 'ReservedAddr')).toHaveLength(1);
});

test('a creation that is unresolved is not sent again under another address, but moves once it is resolved', async () => {
  const walk = await withLostCreation();
  const renamed = devices(', metadata: plain', 'sensors');
  const { plan } = await walk.plan(renamed);
  expect(plan.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(plan.changes.map(({ address, blocked }) => [address, blocked])).toEqual([
    [
      'ReservedAddr/sensors',
      {
        code: 'UNRESOLVED_CREATION',
        message: expect.stringContaining('run `sluice state resolve ReservedAddr/devices --id ID`') as string,
      },
    ],
  ]);
  const { emulator } = walk;
  const [{ id, kind } = { id: '', kind: '' }] = emulator.snapshot().resources;
  const made = { kind, id, spec: {}, protect: false, retain: false };
  const state = resolvedState(walk.state() ?? emptyState('7f3a9c21', ''), 'ReservedAddr/devices', made);
  const again = harness({ emulator, ...(state === undefined ? {} : { state }) });
  await again.converge(renamed);
  expect(again.state()?.entries['ReservedAddr/sensors']?.id).toBe(id);
});
