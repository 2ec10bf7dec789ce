import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { company, directory, sluice, stack, stackFile } from './terminal.ts';

const terminal = { in: false, out: true, err: true, columns: 80 };

describe('the API key', () => {
  test.each([
    ['SLUICE_API_KEY, before all else', { SLUICE_API_KEY: 'right', SLUICE_API_KEY_FILE: 'wrong.txt' }],
    ['the file that SLUICE_API_KEY_FILE names', { SLUICE_API_KEY_FILE: 'right.txt', SLUICE_COMPANY_KEY: 'wrong' }],
    ['the variable that sluice.yaml names', { SLUICE_COMPANY_KEY: 'right' }],
    ['the file that this variable with _FILE names', { SLUICE_COMPANY_KEY_FILE: 'right.txt' }],
  ])('comes from %s', async (_, env) => {
    const emulator = createEmulator({ apiKey: 'right' });
    const { url, close } = await emulator.listen();
    onTestFinished(close);
    const dir = await stack(
      company,
      `${stackFile.replace(/api:.*\n/, '')}api: {key: {from_env: SLUICE_COMPANY_KEY}}\n`,
    );
    await writeFile(join(dir, 'right.txt'), 'right\n');
    await writeFile(join(dir, 'wrong.txt'), 'wrong\n');
    expect(await sluice(dir, 'plan', { env: { ...env, SLUICE_BASE_URL: url } })).toMatchObject({ code: 0, err: '' });
  });

  test('is not looked for in files that sluice.yaml names', async () => {
    const emulator = createEmulator();
    const { url, close } = await emulator.listen();
    onTestFinished(close);
    const dir = await stack(company, `${stackFile}secrets: {env_files: [.env]}\n`);
    await writeFile(join(dir, '.env'), 'SLUICE_API_KEY=stray\nSLUICE_API_KEY_FILE=/etc/hostname\n');
    const ended = await sluice(dir, 'plan', { env: { SLUICE_BASE_URL: url } });
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('no API key is set') as string });
    expect(emulator.log).toEqual([]);
  });

  test('is in no log, however much is logged', async () => {
    const dir = await stack();
    const ended = await sluice(dir, '--log-level debug plan', { env: { SLUICE_API_KEY: 'canary-4711' } });
    expect(ended.err).toContain('GET /reserved_addrs 200');
    expect(JSON.stringify(ended)).not.toContain('4711');
  });
});

describe('the environment', () => {
  test('gives values to manifests, also from files that sluice.yaml names', async () => {
    const manifests = company.replace('Sensors', '{from_env: SLUICE_VAR_WHAT}');
    const dir = await stack(manifests, `${stackFile}secrets: {env_files: [.env]}\n`);
    await writeFile(join(dir, '.env'), '# what is there\nSLUICE_VAR_WHAT="Sensors in Asia"\n');
    expect((await sluice(dir, 'plan')).out).toContain('description: "Sensors in Asia"');
    expect((await sluice(dir, 'plan', { env: { SLUICE_VAR_WHAT: 'Buoys' } })).out).toContain('description: Buoys');
    await writeFile(join(dir, '.env'), 'canary 4711');
    const ended = await sluice(dir, 'plan');
    expect(ended).toMatchObject({ code: 8 });
    expect(ended.err).toContain('.env:1');
    expect(ended.err).not.toContain('4711');
  });

  test.each([
    [{ SLUICE_BASE_URL: 'http://api.example.com', SLUICE_API_KEY: 'k' }, 'plain http'],
    [{ SLUICE_LOG: 'loud' }, 'SLUICE_LOG must be one of'],
  ])('is checked: %j', async (env, reported) => {
    const ended = await sluice(await stack(), 'plan', { env });
    expect(ended.code).toBe(8);
    expect(ended.err).toContain(reported);
  });

  test('that is wrong hides no unknown command', async () => {
    const ended = await sluice(await stack(), 'plam', { env: { SLUICE_LOG: 'loud' } });
    expect(ended).toMatchObject({ code: 8, err: expect.stringContaining('unknown command "plam"') as string });
  });
});

describe('colour', () => {
  test('is for terminals', async () => {
    const dir = await stack();
    expect((await sluice(dir, 'plan', { terminal })).out).toContain('\u{1b}[32m+');
    expect((await sluice(dir, 'plan')).out).not.toContain('\u{1b}');
  });

  test.each([
    ['plan', { NO_COLOR: '1' }],
    ['--no-color plan', {}],
    ['plan', { TERM: 'dumb' }],
    ['--format json plan', {}],
  ])('is not there for `sluice %s` with %j', async (args, env) => {
    expect((await sluice(await stack(), args, { terminal, env })).out).not.toContain('\u{1b}');
  });
});

test('the stack is found upwards, and by -C from elsewhere', async () => {
  const dir = await stack();
  expect((await sluice(join(dir, 'manifests'), 'validate')).code).toBe(0);
  expect((await sluice(await directory(), `-C ${dir} validate`)).code).toBe(0);
});
