import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startPostgres, withoutPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { notBuilt, startProgram, type ProcessEnd } from '../../support/processes.ts';

const skipped = withoutPostgres === '' ? notBuilt : withoutPostgres;
let server: PostgresServer;

beforeAll(async () => {
  if (skipped === '') server = await startPostgres();
});

afterAll(async () => {
  if (skipped === '') await server.stop();
});

describe.skipIf(skipped !== '')(`a stack whose state is in PostgreSQL${skipped}`, () => {
  test('is made by init, probed, applied, and shows its state and lock', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sluice-commands-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const run = (...args: string[]): Promise<ProcessEnd> =>
      startProgram(dir, args, { SLUICE_STATE_URL: server.url }).ended;
    expect(await run('init', '--state', 'postgres', '--name', 'shop')).toMatchObject({ code: 0 });
    expect(await readFile(join(dir, 'sluice.yaml'), 'utf8')).toContain(
      'state: {postgres: {url: {from_env: SLUICE_STATE_URL}}}',
    );
    const probed = await run('state', 'probe');
    expect([probed.code, probed.out]).toEqual([0, expect.stringContaining('can be used for state and lock')]);
    const applied = await run('apply', '--auto-approve');
    expect([applied.code, applied.err]).toEqual([0, expect.any(String)]);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('state', 'lock')).out).toBe('The state is not locked.\n');
    expect((await run('state', 'unlock')).out).toBe('The state is not locked.\n');
    expect(await run('pause', '--for', '1h')).toMatchObject({ code: 0 });
    expect((await run('resume')).out).toBe('Resumed.\n');
  });

  test('says what is wrong with its URL, without a word of it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sluice-commands-'));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const run = (url: string, ...args: string[]): Promise<ProcessEnd> =>
      startProgram(dir, args, url === '' ? {} : { SLUICE_STATE_URL: url }).ended;
    await run('', 'init', '--state', 'postgres', '--name', 'shop');
    expect(await run('', 'plan')).toMatchObject({
      code: 8,
      err: expect.stringContaining('SLUICE_STATE_URL is not set') as string,
    });
    const wrong = await run('https://hooks.example.com/secret-word', 'plan');
    expect([wrong.code, wrong.err.includes('secret-word')]).toEqual([8, false]);
    const refused = await run(server.urlOf('sluice', 'secret-word'), 'plan');
    expect([refused.code, refused.err.includes('secret-word')]).toEqual([7, false]);
    const nobody = await run('postgresql://sluice:secret-word@127.0.0.1:1/shop', 'plan');
    expect([nobody.code, nobody.err.includes('secret-word')]).toEqual([1, false]);
    expect(nobody.err).toContain('is unavailable');
  });
});
