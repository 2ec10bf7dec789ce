import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { faulty, parseFault } from '../../src/emulator/faults/fault.ts';
import { directory, sluice, stack } from './terminal.ts';

const env = { SLUICE_API_KEY: 'k3y' };

describe('manifests that describe nothing any more (law 7)', () => {
  test('are taken for a mistake: exit 3, and nothing is deleted', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), '');
    for (const command of ['plan', 'apply --auto-approve']) {
      const ended = await sluice(dir, command, { env });
      expect(ended.code).toBe(3);
      expect(ended.err).toContain('the manifests contain no resources, but 3 resources of this stack exist');
    }
  });

  test('delete everything when that is confirmed', async () => {
    const dir = await stack();
    await sluice(dir, 'apply --auto-approve', { env });
    await writeFile(join(dir, 'manifests/company.yaml'), '');
    const ended = await sluice(dir, 'apply --auto-approve --allow-empty', { env });
    expect(ended.out).toContain('3 deleted');
    expect(ended.code).toBe(0);
  });
});

test('a creation that is answered with what was there before does not make that ours', async () => {
  const emulator = createEmulator();
  const headers = { authorization: 'Bearer k', 'example-version': '2', 'content-type': 'application/json' };
  const theirs = await emulator.handle({ method: 'POST', path: '/reserved_addrs', headers, body: '{"region": "jp"}' });
  const served = await emulator.listen({});
  onTestFinished(() => served.close());
  emulator.intercept(faulty(parseFault('other-answer@POST:ReservedAddr:1')));
  const dir = await stack();
  const elsewhere = { env: { ...env, SLUICE_BASE_URL: served.url } };
  expect((await sluice(dir, 'apply --auto-approve', elsewhere)).code).toBe(0);
  expect((await sluice(dir, 'plan --detailed-exitcode', elsewhere)).code).toBe(0);
  const { id } = JSON.parse(theirs.body) as { id: string };
  expect(await readFile(join(dir, '.sluice/state.json'), 'utf8')).not.toContain(id);
});

test('a command that is over repeats nothing: one error, and it is the last word', async () => {
  const emulator = createEmulator({ apiKey: 'right' });
  const served = await emulator.listen({});
  onTestFinished(() => served.close());
  const dir = await stack();
  const ended = await sluice(dir, 'plan', { env: { SLUICE_API_KEY: 'wrong', SLUICE_BASE_URL: served.url } });
  expect(ended.code).toBe(7);
  expect(
    ended.err
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('  ')),
  ).toHaveLength(1);
});

test.each([
  ['plan --format sarif', 'validate; plan supports text, json, yaml, markdown'],
  ['validate --format markdown', 'plan, show, apply, destroy, exposure; validate supports text, json, yaml, sarif'],
  ['apply --auto-approve --format sarif', 'validate; apply supports text, json, yaml, markdown'],
  [
    'state show HTTPSEdge/shop --format markdown',
    'plan, show, apply, destroy, exposure; state show supports text, json, yaml',
  ],
])('a format that a command does not support is an error: %s', async (command, message) => {
  const ended = await sluice(await stack(), command, { env });
  expect(ended.code).toBe(8);
  expect(ended.err).toMatch(/^error: --format \w+ is available for/);
  expect(ended.err).toContain(message);
});

test.each([
  ['json', '{\n  "format_version": "1.0",'],
  ['yaml', 'format_version: "1.0"\n'],
  ['markdown', '### sluice failed\n'],
])('invalid arguments are a result in the format that was asked for: %s', async (format, start) => {
  const ended = await sluice(await stack(), `--format ${format} plan --unknown-flag`, { env });
  expect(ended.code).toBe(8);
  expect(ended.out.slice(0, start.length)).toBe(start);
});

test('a state that remembers nothing stands in the way of no other account', async () => {
  const emulator = createEmulator();
  const served = await emulator.listen({});
  onTestFinished(() => served.close());
  const dir = await stack();
  await sluice(dir, 'apply --auto-approve', { env });
  const elsewhere = { env: { ...env, SLUICE_BASE_URL: served.url } };
  expect((await sluice(dir, 'plan', elsewhere)).code).toBe(3);
  await sluice(dir, 'destroy --auto-approve', { env });
  expect((await sluice(dir, 'apply --auto-approve', elsewhere)).code).toBe(0);
  expect((await sluice(dir, 'plan --detailed-exitcode', elsewhere)).code).toBe(0);
});

test('init makes the directory that it names', async () => {
  const dir = await directory();
  await sluice(dir, 'init --name shop', { env });
  expect((await stat(join(dir, 'manifests'))).isDirectory()).toBe(true);
});
