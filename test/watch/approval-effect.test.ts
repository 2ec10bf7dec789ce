import { expect, test } from 'vitest';
import { ran } from '../cli/terminal.ts';
import { address, startWatch } from './start-watch.ts';

test('the answer to an approval contains when it takes effect, as the watch sees it', async () => {
  const { dir, env, emulator, until, status, stop } = await startWatch('apply_on_change: false', {
    'a.yaml': address('brokers'),
  });
  const sluice = async (...args: string[]): Promise<string> => (await ran(dir, args, { env })).out;
  const approved = async (): Promise<string> =>
    sluice('approve', (await status()).approval_digest ?? '', '--auto-approve');
  await until(async () => (await status().catch(() => undefined))?.approval_digest !== undefined);

  await sluice('pause');
  await until(async () => (await status()).role === 'paused');
  expect(await approved()).toContain(
    'The watch applies these changes after the pause ends if the changes are still the same by then.',
  );

  const asked = await ran(
    dir,
    ['approve', (await status()).approval_digest ?? '', '--auto-approve', '--format', 'json'],
    { env },
  );
  expect(JSON.parse(asked.out)).toMatchObject({
    starts: 'paused',
    summary: 'The watch applies these changes after the pause ends if the changes are still the same by then.',
  });

  const over = emulator.intercept(() => ({ status: 401, headers: {}, body: '{}' }));
  await sluice('resume');
  await until(async () => (await status()).failures.some(({ scope }) => scope === 'account'));
  expect(await approved()).toContain('The watch applies these changes when the account can be read again');

  over();
  await sluice('reconcile');
  await until(async () => (await status()).approval_digest === undefined);
  await stop();
});
