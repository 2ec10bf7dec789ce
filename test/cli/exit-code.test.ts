import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodeOf, exitCodeOfAll, exitCodeOfOutcome } from '../../src/cli/exit-code.ts';
import { Refusal, refusalAnswer } from '../../src/emulator/answer.ts';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { ChangeOutcome } from '../../src/model/outcome.ts';
import { newLease } from '../../src/state/lease/lease.ts';
import { leaseText } from '../../src/state/file/lock-heartbeat.ts';
import { company, directory, sluice, stack, stackFile } from './terminal.ts';

/** The company against an emulator on a socket of its own. */
async function served(options: Parameters<typeof createEmulator>[0] = {}): Promise<{
  readonly dir: string;
  readonly emulator: Emulator;
  readonly env: Readonly<Record<string, string>>;
}> {
  const emulator = createEmulator(options);
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  return { dir: await stack(), emulator, env: { SLUICE_BASE_URL: url, SLUICE_API_KEY: 'right' } };
}

describe('a command for several stacks exits with', () => {
  test.each([
    { codes: [], hasWritten: false, code: 0 },
    { codes: [0, 0], hasWritten: true, code: 0 },
    { codes: [0, 2], hasWritten: false, code: 2 },
    { codes: [2, 1, 3], hasWritten: false, code: 3 },
    { codes: [3, 8, 5], hasWritten: false, code: 5 },
    { codes: [4, 7], hasWritten: false, code: 7 },
    { codes: [0, 3], hasWritten: true, code: 6 },
    { codes: [6, 0], hasWritten: true, code: 6 },
    { codes: [6, 130, 0], hasWritten: true, code: 130 },
  ])('$code for $codes, written: $hasWritten', ({ codes, hasWritten, code }) => {
    expect(exitCodeOfAll(codes, hasWritten)).toBe(code);
  });
});

describe('a command exits with', () => {
  test('1 when sluice itself is at fault, or the service cannot be reached', async () => {
    expect(exitCodeOf(new TypeError('a defect'))).toBe(1);
    const env = { SLUICE_BASE_URL: 'http://127.0.0.1:1', SLUICE_API_KEY: 'right' };
    const ended = await sluice(await stack(), 'plan', { env });
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('ECONNREFUSED');
    expect(ended.err).toContain('api.base_url or SLUICE_BASE_URL');
  });

  test('3 when the account cannot be the right one', async () => {
    const { dir, env } = await served();
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
    await writeFile(join(dir, 'sluice.yaml'), stackFile.replace('name: company', 'name: copy'));
    const ended = await sluice(dir, 'plan', { env });
    expect(ended).toMatchObject({ code: 3, out: '' });
    expect(ended.err).toContain('sluice init --new-id');
  });

  test('5 while somebody else holds the lock, and reports who', async () => {
    const { dir, env } = await served();
    await mkdir(join(dir, '.sluice'));
    const lease = { ...newLease('sluice apply', new Date('2026-01-01T00:00:00Z')), owner: 'robin' };
    await writeFile(join(dir, '.sluice/lock'), leaseText(lease));
    const ended = await sluice(dir, 'apply --auto-approve', { env });
    expect(ended.code).toBe(5);
    expect(ended.err).toContain('robin');
    expect((await sluice(dir, 'apply --auto-approve --lock-timeout 1s', { env })).err).toContain('waiting for');
    expect((await sluice(dir, 'plan', { env })).code).toBe(0);
  });

  test('6 when a change failed after others were made, and reports which waited for it', async () => {
    const { dir, emulator, env } = await served();
    emulator.intercept(({ method, path }, next) =>
      method === 'POST' && path === '/edges/https'
        ? refusalAnswer(new Refusal(400, 'FULL', 'No more.'), 'op_1')
        : next(),
    );
    const ended = await sluice(dir, 'apply --auto-approve', { env });
    expect(ended.code).toBe(6);
    expect(ended.out).toContain('Applied in part: 1 created; 1 failed, 1 skipped; 2 API requests.');
    expect(ended.out).toContain('FULL');
    expect(ended.out).toContain(
      'HTTPSEdgeRoute/shop:front create skipped (depends on HTTPSEdge/shop, which did not complete)',
    );
  });

  test('6 when changes were made and could not be remembered', async () => {
    const { dir, emulator, env } = await served();
    emulator.intercept(async ({ method, path }, next) => {
      if (method === 'POST' && path === '/edges/https')
        await writeFile(join(dir, '.sluice/state.json'), '{"not": "ours"}');
      return next();
    });
    const ended = await sluice(dir, 'apply --auto-approve --parallelism 1', { env });
    expect(ended.code).toBe(6);
    expect(ended.out).toMatch(/^state not saved: .*state\.json/m);
    expect(ended.out).toMatch(/^Applied in part: .*not started.*state not saved\.$/m);
    expect(ended.out).toContain('or move the file away and run `sluice state rebuild`');
  });

  test('7 when the key is not known, and does not repeat it', async () => {
    const { dir, env } = await served({ apiKey: 'another' });
    const ended = await sluice(dir, 'plan', { env: { ...env, SLUICE_API_KEY: 'wrong-key-4711' } });
    expect(ended).toMatchObject({ code: 7, out: '' });
    expect(ended.err).toContain('401');
    expect(ended.err).not.toContain('4711');
  });

  test('8 when there is no key, and reports where it may come from', async () => {
    const { dir, env } = await served();
    const ended = await sluice(dir, 'plan', { env: { SLUICE_BASE_URL: env['SLUICE_BASE_URL'] } });
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('SLUICE_API_KEY_FILE');
  });

  test.each(['plan', 'apply --auto-approve', 'get edges', 'watch missing', 'history', 'status', 'comment none.plan'])(
    '8 where the named directory does not exist, although the stack of a directory above does: %s',
    async (command) => {
      const { dir, env } = await served();
      const ended = await sluice(dir, command.startsWith('watch') ? command : `-C missing ${command}`, { env });
      expect(ended).toEqual({
        code: 8,
        out: '',
        err: `error: the directory ${join(dir, 'missing')} does not exist\n  run \`sluice init\` to create a stack, or select one with -C DIR\n`,
      });
    },
  );

  test('8 with what is in the way first: no stack, no key, nobody to approve', async () => {
    const { dir, env } = await served();
    for (const command of ['apply', 'destroy']) {
      expect((await sluice(await directory(), command)).err).toContain('there is no sluice.yaml');
      const keyless = { SLUICE_BASE_URL: env['SLUICE_BASE_URL'] };
      expect((await sluice(dir, command, { env: keyless })).err).toContain('no API key is set');
    }
    expect(await sluice(dir, 'apply', { env })).toMatchObject({
      code: 8,
      out: expect.stringContaining('to create;') as string,
      err: expect.stringContaining('approval is required, but there is no terminal to ask for it') as string,
    });
    expect((await sluice(dir, 'apply --auto-approve', { env })).code).toBe(0);
    expect(await sluice(dir, 'apply', { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining('No changes.') as string,
    });
  });

  test('8 when manifests are wrong, with every problem in its place, before anything is asked of the service', async () => {
    const { dir, emulator, env } = await served();
    await writeFile(
      join(dir, 'manifests/company.yaml'),
      company.replace('region: eu', 'regoin: eu').replace('match: /,', 'match: nowhere/ /,'),
    );
    const ended = await sluice(dir, 'apply --auto-approve', { env });
    expect(ended.code).toBe(8);
    expect(ended.err).toMatch(/UNKNOWN_FIELD\] manifests\/company\.yaml:5:\d+/);
    expect(ended.err).toContain('did you mean `region`?');
    expect(ended.err).toContain('INVALID_MATCH');
    expect(emulator.log).toEqual([]);
  });

  test.each([
    ['plna', 'did you mean `sluice plan`?'],
    ['plan --formt json', 'did you mean `--format`?'],
    ['plan --format xml', 'Allowed choices are text, json'],
    ['plan --parallelism 0', 'an integer from 1 to 256'],
    ['plan surplus', 'too many arguments'],
    ['get', "missing required argument 'kind'"],
    ['get resrved-addr', 'did you mean ReservedAddr?'],
    ['schema https-ege', 'did you mean HTTPSEdge?'],
    ['plan -l =web', 'INVALID_SELECTOR'],
    ['plan --target HTTPSEdge/shp', 'did you mean HTTPSEdge/shop?'],
    ['apply --allow OPEN_ACCESS', 'did you mean `OPENS_ACCESS`?'],
    ['import HTTPSEdge/shop id --allow OPEN_ACCESS', 'did you mean `OPENS_ACCESS`?'],
    ['emulator --host 0.0.0.0', '--allow-remote'],
  ])('8 for `sluice %s`, and says %s', async (args, reported) => {
    const ended = await sluice(await stack(), args);
    expect(ended.code).toBe(8);
    expect(ended.out + ended.err).toContain(reported);
  });

  test('8 when the stack file is wrong', async () => {
    const ended = await sluice(await stack(company, stackFile.replace('vendor', 'vender')), 'plan');
    expect(ended.code).toBe(8);
    expect(ended.err).toContain('did you mean `vendor`?');
  });

  test('130 when it is interrupted while it looks', async () => {
    const { dir, emulator, env } = await served();
    const interrupted = new AbortController();
    emulator.intercept((_, next) => {
      interrupted.abort();
      return next();
    });
    expect((await sluice(dir, 'plan', { env, signal: interrupted.signal })).code).toBe(130);
  });

  test('130 when an apply is interrupted: what runs is finished and remembered, nothing more is begun', async () => {
    const { dir, emulator, env } = await served();
    const interrupted = new AbortController();
    emulator.intercept(({ method }, next) => {
      if (method !== 'GET') interrupted.abort();
      return next();
    });
    const ended = await sluice(dir, 'apply --auto-approve --parallelism 1', { env, signal: interrupted.signal });
    expect(ended.code).toBe(130);
    expect(ended.out).toMatch(/Interrupted: 1 created; 2 not started; 1 API request\./);
    expect(emulator.log.filter(({ method }) => method !== 'GET')).toHaveLength(1);
    expect(await readFile(join(dir, '.sluice/state.json'), 'utf8')).toMatch(/"(ra|edghts)_\w+"/);
  });
});

describe('the outcome of an apply', () => {
  const change = (ending: ChangeOutcome['ending'], status?: number): ChangeOutcome => ({
    address: 'HTTPSEdge/shop',
    action: 'create',
    ending,
    ...(status === undefined ? {} : { status }),
  });

  test.each([
    ['all done', [change('done')], 0],
    ['nothing to do', [], 0],
    ['failed before anything was done', [change('failed', 400), change('skipped')], 1],
    ['refused for the key before anything was done', [change('failed', 401)], 7],
    ['lost the lock before anything was done', [{ ...change('failed'), code: 'LOCK_LOST' }, change('not-started')], 5],
    [
      'not recorded before anything was done, as the store refused access',
      [{ ...change('failed'), code: 'STORE_ACCESS_DENIED' }, change('not-started')],
      7,
    ],
    ['done in part', [change('done'), change('failed', 401)], 6],
    ['not known', [change('unknown')], 6],
  ])('%s', (_, changes, code) => {
    expect(exitCodeOfOutcome({ changes, requests: 1, interrupted: false, unresolved: [], duplicates: [] })).toBe(code);
    expect(exitCodeOfOutcome({ changes, requests: 1, interrupted: true, unresolved: [], duplicates: [] })).toBe(130);
  });

  test.each([
    ['done', 6],
    ['not-started', 7],
  ] as const)('where the store refuses access and a change is %s: %i', (ending, code) => {
    const stateError = { code: 'STORE_ACCESS_DENIED', message: 'refused', hint: 'none' };
    const changes = [change(ending)];
    expect(
      exitCodeOfOutcome({ changes, requests: 1, interrupted: false, unresolved: [], duplicates: [], stateError }),
    ).toBe(code);
  });

  test('is 6 while a creation of an earlier run is unresolved', () => {
    const unresolved = [{ address: 'HTTPSEdge/shop', kind: 'HTTPSEdge' }];
    expect(exitCodeOfOutcome({ changes: [], requests: 0, interrupted: false, unresolved, duplicates: [] })).toBe(6);
  });
});
