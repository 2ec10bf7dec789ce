import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { sluice, stack, stackFile } from './terminal.ts';

const shop = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - {match_type: path_prefix, match: /, webhook_verification: {provider: GitHub, secret: {from_env: HOOK}}}
`;

/** A stack that was applied to a service that shows no secrets, and what runs there afterwards with another secret. */
async function rotated() {
  const emulator = createEmulator({ secrets: 'empty' });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const env = { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' };
  const dir = await stack(shop, stackFile);
  await sluice(dir, 'apply --auto-approve', { env: { ...env, HOOK: 'first-secret' } });
  const writes = () => emulator.log.filter(({ method }) => method !== 'GET').length;
  return { dir, writes, run: (line: string) => sluice(dir, line, { env: { ...env, HOOK: 'second-secret' } }) };
}

test('--require-verified-secrets ends plan and apply with 3 where state is lost, and with --resend-secrets it does not', async () => {
  const { dir, writes, run } = await rotated();
  await rm(join(dir, '.sluice'), { recursive: true });
  const before = writes();
  for (const command of ['plan', 'apply --auto-approve']) {
    const { code, err } = await run(`${command} --require-verified-secrets`);
    expect(code).toBe(3);
    expect(err).toContain('1 secret cannot be verified');
  }
  expect(writes()).toBe(before);
  expect((await run('plan')).code).toBe(0);
  const resent = await run('plan --require-verified-secrets --resend-secrets');
  expect(resent.code).toBe(0);
  expect(resent.out).toContain('secret: (value not readable) -> (secret)');
});

test('with its state, --require-verified-secrets changes nothing: the rotated secret is sent', async () => {
  const { run } = await rotated();
  const { code, out } = await run('plan --require-verified-secrets');
  expect(code).toBe(0);
  expect(out).toContain('secret: (value not readable) -> (secret, changed)');
  expect(await run('apply --auto-approve --require-verified-secrets')).toMatchObject({ code: 0 });
  expect((await run('plan --require-verified-secrets --detailed-exitcode')).code).toBe(0);
});
