import { expect, test } from 'vitest';
import { sluice } from '../cli/terminal.ts';
import { address, startWatch } from './start-watch.ts';

test('a command that needs the lock of a watch reports how to get it', async () => {
  const { dir, env, log, until, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(() => log().includes('ReservedAddr/mqtt: done'));
  const refused = await sluice(dir, 'apply --auto-approve', { env });
  expect(refused.code).toBe(5);
  expect(refused.err).toContain('the stack is locked by `sluice watch`');
  expect(refused.err).toContain('run `sluice pause`, which makes the watch release the lock');
  expect(await sluice(dir, 'pause', { env })).toMatchObject({ code: 0 });
  await until(() => log().includes('"event":"paused"'));
  expect(await sluice(dir, 'apply --auto-approve --lock-timeout 60s', { env })).toMatchObject({ code: 0 });
  await stop();
});
