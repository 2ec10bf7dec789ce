import { expect, test } from 'vitest';
import { directory, ran } from '../cli/terminal.ts';
import { address, env, stackFile, startWatch } from './start-watch.ts';

test('a pause without a running watch reports that, and what the pause does', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile('prune: true'), 'manifests/a.yaml': address('brokers') });
  const paused = await ran(dir, ['pause'], { env });
  expect(paused.code).toBe(0);
  expect(paused.out).toContain('No watch of this stack responds on this machine');
  const json = await ran(dir, ['pause', '--format', 'json'], { env });
  expect(JSON.parse(json.out)).toMatchObject({ watch_answered: false });
});

test('whoever pauses a running watch is not', async () => {
  const { dir, env: own, until, status, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(async () => (await status().catch(() => undefined))?.resources.length === 1);
  expect((await ran(dir, ['pause'], { env: own })).out).toMatch(
    /^Paused until \S+Z\. Run `sluice resume` to end the pause earlier\.\n$/,
  );
  await stop();
});
