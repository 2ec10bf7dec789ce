import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directory, sluice, type Ended } from '../../cli/terminal.ts';
import { describeServices } from './describe-services.ts';
import type { StateService } from './state-services.ts';

type Run = (args: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;

/** A stack as `init` makes it, with its state in the service. */
async function stackIn(
  init: string,
  service: Pick<StateService, 'setting' | 'env'>,
): Promise<{ readonly dir: string; readonly run: Run }> {
  const dir = await directory();
  const run: Run = (args, env = {}) => sluice(dir, args, { env: { ...service.env, ...env } });
  expect(await run(`init --name shop ${init}`)).toMatchObject({ code: 0 });
  const path = join(dir, 'sluice.yaml');
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace(/^state: .*$/m, `state: {${service.setting}}`));
  return { dir, run };
}

const besideTheState = [
  'pause --for 1h',
  'resume',
  `approve sha256:${'0'.repeat(64)} --auto-approve`,
  'history',
  'state lock',
  'reconcile',
];

describeServices('a stack whose state is in', '', (service, name) => {
  const flag = name === 'a database' ? '--state postgres' : '--state s3';

  test('is made by init, probed and applied, and shows its state and lock', async () => {
    const { run } = await stackIn(flag, service());
    const probed = await run('state probe');
    expect([probed.code, probed.out]).toEqual([0, expect.stringContaining('can be used for state and lock')]);
    const applied = await run('apply --auto-approve');
    expect([applied.code, applied.err]).toEqual([0, expect.any(String)]);
    expect((await run('plan --detailed-exitcode')).code).toBe(0);
    expect((await run('state list')).out).toContain('HTTPSEdge/');
    expect((await run('state lock')).out).toBe('The state is not locked.\n');
    expect((await run('state unlock')).out).toBe('The state is not locked.\n');
    // There is no socket to ask at, so nothing is known of a watch, on this machine or elsewhere.
    expect((await run('pause --for 1h')).out).toMatch(
      /earlier\.\nA running watch pauses when the watch next reads the recorded pauses and approvals\. A watch that starts before the end of the pause is paused as well\.\n$/,
    );
    const resumed =
      'Resumed.\nA running watch continues when the watch next reads the recorded pauses and approvals.\n';
    expect((await run('resume')).out).toBe(resumed);
    expect((await run('resume')).out).toBe('No pause is recorded.\n');
  });

  test('is moved from files, and back', async () => {
    const { dir, run } = await stackIn(flag, service());
    const path = join(dir, 'sluice.yaml');
    const shared = await readFile(path, 'utf8');
    expect(await run('state push')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/there is no state in \S+\n.*--file/) as string,
    });
    const inFiles = shared.replace(/^state: .*\n/m, '');
    await writeFile(path, inFiles);
    expect(await run('state push')).toMatchObject({
      code: 8,
      err: expect.stringContaining('the state is in a file') as string,
    });
    expect((await run('apply --auto-approve')).code).toBe(0);
    expect(await run('pause --for 1h')).toMatchObject({ code: 0 });

    await writeFile(path, shared);
    const pushed = await run('state push');
    expect([pushed.code, pushed.out]).toEqual([
      0,
      expect.stringMatching(/^Moved the state \(\d+ resources\) from \S+ to /),
    ]);
    expect((await run('plan --detailed-exitcode')).code).toBe(0);
    expect((await run('resume')).out).toMatch(/^Resumed\.\n/);
    await writeFile(path, inFiles);
    for (const words of ['plan', ...besideTheState])
      expect(await run(words)).toMatchObject({ code: 8, err: expect.stringContaining('was moved to') as string });

    await writeFile(path, shared);
    expect(await run('state pull')).toMatchObject({ code: 0 });
    for (const words of ['plan', ...besideTheState])
      expect(await run(words)).toMatchObject({ code: 8, err: expect.stringContaining('state.json on ') as string });
    await writeFile(path, inFiles);
    expect((await run('plan --detailed-exitcode')).code).toBe(0);
  });

  test('lists its runs, and is removed after destroy', async () => {
    const { run } = await stackIn(flag, service());
    const env = { CI_JOB_URL: 'https://ci.example.com/jobs/7', CI_COMMIT_SHA: 'abcdef0123456789' };
    expect((await run('apply --auto-approve', env)).code).toBe(0);
    expect(await run('state remove --auto-approve')).toMatchObject({ code: 3 });
    const listed = (await run('history')).out;
    expect(listed).toMatch(/sluice apply +\S+@\S+ +abcdef012345 +\d+ create +- +https:\/\/ci.example.com\/jobs\/7\n$/);
    const { runs } = JSON.parse((await run('history --format json')).out) as {
      readonly runs: readonly { plan: string }[];
    };
    expect(runs[0]?.plan).toContain('HTTPSEdge/');
    expect((await run('destroy --auto-approve')).code).toBe(0);
    expect(await run('state remove --auto-approve')).toMatchObject({ code: 0 });
    expect((await run('history')).out).toBe('There are no recorded runs.\n');
    expect((await run('state list')).out).toBe('The state is empty.\n');
  });

  test('reports a store that is unavailable', async () => {
    const { run } = await stackIn(flag, service().through(1));
    const unavailable = await run('plan');
    expect([unavailable.code, unavailable.err]).toEqual([1, expect.stringContaining('is unavailable')]);
  });
});

describe('credentials of a store', () => {
  const stackWith = (state: string): Promise<string> =>
    directory({ 'sluice.yaml': `version: 1\nstack: {name: shop, id: 5c1e7a90}\nstate: {${state}}\n` });
  const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret-word' };

  test.each([
    ['postgres: {url: {from_env: SLUICE_STATE_URL}}', {}, 'SLUICE_STATE_URL is not set'],
    [
      'postgres: {url: {from_env: SLUICE_STATE_URL}}',
      { SLUICE_STATE_URL: 'https://hooks.example.com/secret-word' },
      'is not the URL of a PostgreSQL database',
    ],
    ['s3: {bucket: shop, region: eu-central-1}', {}, 'AWS_ACCESS_KEY_ID is not set'],
    ['s3: {bucket: shop}', keys, 'no region is set'],
    ['s3: {bucket: shop}', { ...keys, AWS_REGION: 'eu central' }, 'AWS_REGION is not the name of a region'],
    ['s3: {bucket: shop}', { ...keys, AWS_DEFAULT_REGION: 'eu\n' }, 'AWS_DEFAULT_REGION is not the name of a region'],
    [
      's3: {bucket: shop, region: r, endpoint: "ftp://x.example.com"}',
      keys,
      'the S3 endpoint must be an http or https URL',
    ],
    ['s3: {bucket: shop, region: r, endpoint: "http://127.0.0.1:0"}', keys, 'the S3 endpoint has port 0'],
    [
      's3: {bucket: shop, region: r, endpoint: "https://other.example.com"}',
      { ...keys, CI: 'true' },
      'state.s3.endpoint (https://other.example.com) in sluice.yaml must also be allowed by the operator',
    ],
    [
      's3: {bucket: shop, region: r, endpoint: "https://other.example.com"}',
      { ...keys, AWS_ENDPOINT_URL_S3: 'https://ours.example.com' },
      'does not match AWS_ENDPOINT_URL_S3',
    ],
    ['path: x.json, s3: {bucket: shop}', keys, '`state.path` and `state.s3` cannot be set together'],
  ])('of %s with %j are refused with exit 8, without a word of them', async (state, env, message) => {
    const { code, err } = await sluice(await stackWith(state), 'plan', { env: { SLUICE_API_KEY: 'right', ...env } });
    expect([code, err]).toEqual([8, expect.stringContaining(message)]);
    expect(err).not.toContain('secret-word');
  });
});
