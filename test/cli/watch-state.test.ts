import { readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { requireDurableState } from '../../src/watch/require-durable-state.ts';
import type { StackConfig } from '../../src/stack/settings/stack-config.ts';
import { UsageError } from '../../src/stack/usage-error.ts';
import { expectHarmlessText } from '../render/harmless.ts';
import { directory, sluice, stackFile } from './terminal.ts';

test('a directory that is swapped away while watch begins is a reason to end, and no defect', async () => {
  const root = await directory();
  const dir = join(root, 'current');
  await symlink('worktrees/gone', dir);
  const path = join(root, 'state/state.json');
  const open = { dir, settings: { state: { path } } } as StackConfig;
  await expect(requireDurableState(open)).rejects.toThrow(UsageError);
  await expect(requireDurableState(open)).rejects.toThrow(
    'current can no longer be read: no such file or directory (ENOENT)',
  );
});

test('so is a directory that is moved away, also where the state is in a store', async () => {
  const dir = join(await directory(), 'team/gone');
  for (const state of [{ postgres: { url: 'postgres://db' } }, { path: '/tmp/state.json' }]) {
    const open = { dir, settings: { state } } as unknown as StackConfig;
    await expect(requireDurableState(open)).rejects.toThrow(UsageError);
    await expect(requireDurableState(open)).rejects.toThrow(
      'team/gone can no longer be read: no such file or directory (ENOENT)',
    );
  }
});

test('what waits for approval acts on no terminal, whoever wrote the file, and is shown to the end', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const summary = { changes: [], hazards: [] };
  const awaited = { digest, plan: `+ ReservedAddr/a\u001b[2J\u202e\n${'x'.repeat(9000)}END\n`, summary, follows: [] };
  const kept = {
    format: 1,
    stack: '5c1e7a90',
    salt: 'x'.repeat(16),
    repairs: {},
    history: [],
    awaited,
    approved: {},
    usedApprovals: [],
  };
  const dir = await directory({ 'sluice.yaml': stackFile, '.sluice/watch-state.json': JSON.stringify(kept) });
  const { code, out } = await sluice(dir, `approve ${digest} --auto-approve`);
  expect([code, out]).toEqual([0, expect.stringContaining('+ ReservedAddr/a\\u{1b}[2J')]);
  expect(out).toContain('xEND\n');
  expectHarmlessText(out);
});

test('what waits for approval in another stack with the same state is not approved', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const awaited = { digest, plan: '+ ReservedAddr/a\n', summary: { changes: [], hazards: [] }, follows: [] };
  const kept = { format: 1, salt: 'x'.repeat(16), repairs: {}, history: [], awaited, approved: {}, usedApprovals: [] };
  const of = (stack: string): Promise<string> =>
    directory({ 'sluice.yaml': stackFile, '.sluice/watch-state.json': JSON.stringify({ ...kept, stack }) });
  expect((await sluice(await of('5c1e7a90'), `approve ${digest} --auto-approve`)).code).toBe(0);
  const { code, out, err } = await sluice(await of('0badcafe'), `approve ${digest} --auto-approve`);
  expect([code, out, err]).toEqual([3, '', expect.stringContaining('belongs to stack 0badcafe, not to 5c1e7a90')]);
});

test.each(['pause', 'resume', 'status', 'reconcile', 'history'])(
  '%s does not reach the watch of another stack with the same state',
  async (command) => {
    const kept = { format: 1, salt: 'x'.repeat(16), repairs: {}, history: [], approved: {}, usedApprovals: [] };
    const requests = JSON.stringify({ format: 1, pause: { until: Date.now() + 60_000 }, approvals: [] });
    const dir = await directory({
      'sluice.yaml': stackFile,
      '.sluice/watch-state.json': JSON.stringify({ ...kept, stack: '0badcafe' }),
      '.sluice/watch-requests.json': requests,
    });
    const { code, out, err } = await sluice(dir, command);
    expect([code, out, err]).toEqual([3, '', expect.stringContaining('belongs to stack 0badcafe, not to 5c1e7a90')]);
    expect(await readFile(join(dir, '.sluice/watch-requests.json'), 'utf8')).toBe(requests);
  },
);

test.each([
  ['reaches the running watch of the same directory', '', 0, 'does not use the new stack.id of sluice.yaml'],
  ['does not reach that of another directory', '/elsewhere', 3, 'belongs to stack 0badcafe, not to 5c1e7a90'],
])('after a commit has changed the id of the stack, a pause %s', async (_, below, expected, told) => {
  const kept = { format: 1, salt: 'x'.repeat(16), repairs: {}, history: [], approved: {}, usedApprovals: [] };
  const dir = await directory({
    'sluice.yaml': stackFile,
    '.sluice/watch-state.json': JSON.stringify({ ...kept, stack: '0badcafe' }),
  });
  const socket = await answering(dir, JSON.stringify({ directory: dir + below }));
  const { code, err } = await sluice(dir, 'pause', { env: { SLUICE_WATCH_SOCKET: socket } });
  expect([code, err]).toEqual([expected, expect.stringContaining(told)]);
});

test('a pause is recorded although what the watch keeps cannot be read', async () => {
  const dir = await directory({ 'sluice.yaml': stackFile, '.sluice/watch-state.json/x': '' });
  expect((await sluice(dir, 'pause')).code).toBe(0);
});

test('the path of a state acts on no terminal', async () => {
  const dir = await directory({ 'sluice.yaml': `${stackFile}state: {path: "a\\e[2J.json"}\n` });
  const { code, out } = await sluice(dir, 'state remove --auto-approve');
  expect([code, out]).toEqual([0, expect.stringMatching(/^Removed the state in .*a\\u\{1b\}\[2J\.json\.\n$/)]);
});

test.each(['reconcile', 'status'])('%s says so where the watch that answers is of another version', async (command) => {
  const dir = await directory({ 'sluice.yaml': stackFile });
  const socket = await answering(dir, '{"format_version":"9.0"}');
  const { code, err } = await sluice(dir, command, { env: { SLUICE_WATCH_SOCKET: socket } });
  expect([code, err]).toEqual([1, expect.stringContaining('a status that this version of sluice understands')]);
  expect(err).not.toMatch(/internal error|127\.0\.0\.1/);
});

/** The socket of a watch that answers everything with one text. */
async function answering(dir: string, text: string): Promise<string> {
  const server = createServer((_, response) => response.end(text));
  onTestFinished(() => void server.close());
  const socket = join(dir, 'w.sock');
  await new Promise<void>((listening) => server.listen(socket, listening));
  return socket;
}
