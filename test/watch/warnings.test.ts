import { expect, test } from 'vitest';
import { rig } from './rig.ts';
import { address } from './start-watch.ts';

test('whoever approves is told what `plan` warns about, and so is whoever reads the status, until it is over', async () => {
  const files = { 'a.yaml': address('A') };
  const watch = rig(files, { applyOnChange: true, prune: false });
  await watch.until(({ pending, nextRefresh }) => nextRefresh !== undefined && pending.length === 0);
  watch.set({ applyOnChange: false, prune: false });
  watch.write({ 'a.yaml': address('A').replace('mqtt', 'mqtt-eu') });
  const { awaited, diagnostics } = await watch.until(
    ({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined,
  );
  expect(awaited?.plan).toMatch(
    /^warning\[POSSIBLE_RENAME\] a\.yaml:\d+:\d+: the new resource looks like ReservedAddr\/mqtt, [^]*\n\n\+ ReservedAddr\/mqtt-eu/,
  );
  expect(diagnostics.map(({ code, address: about }) => [code, about])).toEqual([
    ['POSSIBLE_RENAME', 'ReservedAddr/mqtt-eu'],
  ]);
  watch.write(files);
  const after = await watch.until(({ awaited, nextRefresh }) => awaited === undefined && nextRefresh !== undefined);
  expect(after.diagnostics).toEqual([]);
});
