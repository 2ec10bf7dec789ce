import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

test('without a running watch, resume reports that, and what to do', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile('prune: true'), 'manifests/a.yaml': address('brokers') });
  const [none, start] = [
    'No watch of this stack responds on this machine.',
    'If no watch runs, start one with `sluice watch`.\n',
  ];
  expect((await ran(dir, ['resume'], { env })).out).toBe(`No pause is recorded.\n${none} ${start}`);
  await ran(dir, ['pause'], { env });
  expect((await ran(dir, ['resume'], { env })).out).toBe(
    `Resumed.\n${none} A watch of another user or on another machine continues when the watch next reads the recorded pauses and approvals. ${start}`,
  );
  const json = await ran(dir, ['resume', '--format', 'json'], { env });
  expect(JSON.parse(json.out)).toEqual({ format_version: '1.0', paused_until: null, watch_answered: false });
});

test.each([
  ['there is no file of requests', {}],
  [
    'the file of requests has one that is over, and that nobody has proven',
    { '.sluice/watch-requests.json': JSON.stringify({ format: 1, pause: { until: 1 }, approvals: [] }) },
  ],
])('resume ends a pause of which only the watch state knows, and says so: %s', async (_, requests) => {
  const pause = { serial: 1, inForce: { until: 8.64e15 } };
  const kept = {
    format: 1,
    stack: '5c1e7a90',
    salt: '0123456789abcdef',
    repairs: {},
    history: [],
    approved: {},
    usedApprovals: [],
    pause,
  };
  const dir = await directory({
    'sluice.yaml': stackFile('prune: true'),
    '.sluice/watch-state.json': JSON.stringify(kept),
    ...requests,
  });
  expect((await ran(dir, ['resume'], { env })).out).toMatch(/^Resumed\.\n/);
  expect((await ran(dir, ['resume'], { env })).out).toMatch(/^No pause is recorded\.\n/);
});

test('without a running watch, reconcile says how to have one', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile('prune: true'), 'manifests/a.yaml': address('brokers') });
  const asked = await ran(dir, ['reconcile'], { env });
  expect(asked.err).toContain(
    'if no watch runs, start one with `sluice watch`, which reconciles at once; nothing was recorded',
  );
});

test('an approval of what a watch showed that has stopped since is recorded, and says so', async () => {
  const files = { 'a.yaml': address('brokers') };
  const { dir, env: own, until, status, stop } = await startWatch('prune: true, apply_on_change: false', files);
  await until(async () => (await status().catch(() => undefined))?.approval_digest !== undefined);
  const digest = (await status()).approval_digest ?? '';
  await stop();
  const approved = await ran(dir, ['approve', digest, '--auto-approve'], { env: own });
  expect(approved.out).toContain(
    'Approved. The approval is recorded. No watch of this stack responds on this machine. A watch of another user or on another machine applies these changes when the watch next reads the recorded pauses and approvals, and so does a watch that starts within 7 days, if the changes are still the same by then. If no watch runs, start one with `sluice watch`.',
  );
  const json = await ran(dir, ['approve', digest, '--auto-approve', '--format', 'json'], { env: own });
  expect(JSON.parse(json.out)).toMatchObject({ starts: 'at-next-poll', watch_answered: false });
});

test('a pause has one end: --for and --until together are refused', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile('prune: true'), 'manifests/a.yaml': address('brokers') });
  const paused = await ran(dir, ['pause', '--for', '5s', '--until', '2030-01-01T00:00:00Z'], { env });
  expect(paused).toMatchObject({ code: 8, out: '' });
  expect(paused.err).toContain("'--for <duration>' cannot be used with option '--until <time>'");
  expect(existsSync(join(dir, '.sluice'))).toBe(false);
});

test('whoever pauses a running watch is not', async () => {
  const { dir, env: own, until, status, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(async () => (await status().catch(() => undefined))?.resources.length === 1);
  expect((await ran(dir, ['pause'], { env: own })).out).toMatch(
    /^Paused until \S+Z\. Run `sluice resume` to end the pause earlier\.\n$/,
  );
  await stop();
});

test.each([
  ['a setting that does not exist', `${stackFile('prune: true')}\nunknown: 1\n`],
  ['no YAML at all', 'stack: {id: [\n'],
])('an invalid sluice.yaml, %s, takes nothing from the operator of a running watch', async (_, text) => {
  const { dir, env: own, until, status, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(async () => (await status().catch(() => undefined))?.resources.length === 1);
  await writeFile(join(dir, 'sluice.yaml'), text);
  await until(async () => (await status()).failures.length > 0);
  const paused = await ran(dir, ['pause'], { env: own });
  expect(paused.code).toBe(0);
  expect(paused.err).toContain('sluice.yaml is invalid; using the state of the running watch at ');
  await until(async () => (await status()).role === 'paused');
  // A status that has the failure ends with 1.
  const ends = { status: 1, resume: 0, history: 0, 'state lock': 0 };
  for (const [command, code] of Object.entries(ends))
    expect({ command, code: (await ran(dir, command.split(' '), { env: own })).code }).toEqual({ command, code });
  // The watch answers that it cannot load the revision.
  expect((await ran(dir, ['reconcile'], { env: own })).code).toBe(1);
  await stop();
  expect((await ran(dir, ['pause'], { env: own })).code).toBe(8);
});

test('a state.path that was changed under a running watch takes nothing from its operator, and every command says so', async () => {
  const { dir, env: own, until, status, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(async () => (await status().catch(() => undefined))?.resources.length === 1);
  await writeFile(join(dir, 'sluice.yaml'), `${stackFile('prune: true')}\nstate: {path: elsewhere/state.json}\n`);
  await until(async () => (await status()).failures.length > 0);
  for (const [command, code] of Object.entries({ pause: 0, status: 1, resume: 0 })) {
    const found = await ran(dir, [command], { env: own });
    expect([command, found.code]).toEqual([command, code]);
    expect(found.err).toContain(
      'the running watch does not use the new state.path of sluice.yaml; this command uses the state of the watch at ',
    );
    if (command === 'pause') await until(async () => (await status()).role === 'paused');
  }
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
  await stop();
});

test('a watch that starts while paused is ready and answers commands', async () => {
  const isPaused = (dir: string): readonly string[] => {
    mkdirSync(join(dir, '.sluice'));
    const pause = { until: Date.now() + 3_600_000 };
    writeFileSync(join(dir, '.sluice/watch-requests.json'), JSON.stringify({ format: 1, pause, approvals: [] }));
    return [];
  };
  const files = { 'a.yaml': address('brokers') };
  const { dir, env: own, until, status, page, stop } = await startWatch('prune: true', files, undefined, {}, isPaused);
  await until(async () => (await status().catch(() => undefined))?.role === 'paused');
  expect((await fetch(`${page()}/readyz`)).status).toBe(200);
  expect((await ran(dir, ['status'], { env: own })).out).toMatch(/^Paused until /);
  expect((await ran(dir, ['resume'], { env: own })).out).toBe('Resumed.\n');
  await until(async () => (await status()).role === 'leader');
  await stop();
});

test('a socket that is set apart from the state does not show where the state is while sluice.yaml is invalid', async () => {
  const { dir, env: own, until, status, stop } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(async () => (await status().catch(() => undefined))?.resources.length === 1);
  // As of a state in a database, whose watch has its socket elsewhere: nothing is to be written beside the default path.
  await writeFile(
    join(dir, 'sluice.yaml'),
    `${stackFile('prune: true')}\nstate: {path: elsewhere/state.json}\nunknown: 1\n`,
  );
  const paused = await ran(dir, ['pause'], { env: { ...own, SLUICE_WATCH_SOCKET: join(dir, '.sluice/watch.sock') } });
  expect(paused.code).toBe(8);
  expect(existsSync(join(dir, 'elsewhere'))).toBe(false);
  await stop();
});

test('resume ends a pause right after the watch state was deleted, with which the watch can tell who ends it', async () => {
  const { dir, env: own, until, status } = await startWatch('prune: true', { 'a.yaml': address('brokers') });
  await until(() => existsSync(join(dir, '.sluice/watch-state.json')));
  await ran(dir, ['pause'], { env: own });
  await until(async () => (await status()).role === 'paused');
  rmSync(join(dir, '.sluice/watch-state.json'));
  expect((await ran(dir, ['resume'], { env: own })).out).toBe('Resumed.\n');
  await until(async () => (await status()).role === 'leader');
});
