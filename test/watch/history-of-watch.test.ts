import { expect, test } from 'vitest';
import { ran } from '../cli/terminal.ts';
import { address, startWatch } from './start-watch.ts';

test('each apply of a watch is in the history with the digest of its log, from when it began', async () => {
  const { dir, env, write, until, log, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  const applied = (): readonly string[] =>
    [...log().matchAll(/"digest":"(sha256:[0-9a-f]{64})","changes":1/g)].map(([, digest = '']) => digest);
  await until(() => applied().length === 1);
  await write('a.yaml', address('queues'));
  await until(() => applied().length === 2);
  await stop();
  const { out } = await ran(dir, ['history', '--format', 'json'], { env });
  const { runs } = JSON.parse(out) as { runs: { digest: string; began: string; ended: string }[] };
  const [last, first] = runs;
  expect(runs.map(({ digest }) => digest)).toEqual(applied().toReversed());
  expect(last?.began.localeCompare(first?.ended ?? '')).toBe(1);
});
