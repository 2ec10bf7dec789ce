import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acquireLock } from '../../../src/state/lock.ts';
import { askWatch, wakeWatch } from '../../../src/watch/control/ask-watch.ts';
import { controlRequests, type ControlRequests } from '../../../src/watch/control/control-requests.ts';
import { listenOnSocket, type ControlSocket } from '../../../src/watch/control/control-socket.ts';
import { sluice, stack } from '../../cli/terminal.ts';
import { address, startWatch } from '../start-watch.ts';
import { allWell } from '../statuses.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sluice-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function listen(path: string, requests: ControlRequests, isActive = true): Promise<ControlSocket> {
  const socket = await listenOnSocket({
    path,
    requests,
    status: () => allWell,
    isActive: () => isActive,
    onError: () => undefined,
  });
  onTestFinished(() => socket.close());
  return socket;
}

test('the socket can be opened by its owner alone, and replaces what a killed process left', async () => {
  const dir = folder();
  const path = join(dir, 'watch.sock');
  writeFileSync(path, '');
  const socket = await listen(path, controlRequests());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['watch.sock']);
  await socket.close();
  expect(readdirSync(dir)).toEqual([]);
});

test('it takes what commands ask of it, and nothing else', async () => {
  const socketPath = join(folder(), 'watch.sock');
  await listen(socketPath, controlRequests(), false);
  const ask = (method: string, path: string): Promise<string> =>
    new Promise((done, failed) => {
      const sent = request({ socketPath, path, method, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('end', () => done(`${String(response.statusCode)} ${text.trim()}`));
      });
      sent.on('error', failed).end();
    });
  expect(await ask('GET', '/status')).toBe('405 only POST is supported');
  expect(await ask('POST', '/status')).toMatch(/^200 .*"company"/s);
  expect(await ask('POST', '/approve')).toBe('404 not found');
  expect(await ask('POST', '/reconcile')).toBe('503 this process is a standby');
});

test('whoever takes it over keeps it when the other one ends', async () => {
  const path = join(folder(), 'watch.sock');
  const first = await listen(path, controlRequests());
  await listen(path, controlRequests());
  await first.close();
  expect(await wakeWatch({ socketPath: path })).toBe(true);
});

test('it wakes, and answers once a reconciliation has ended', async () => {
  const path = join(folder(), 'watch.sock');
  const requests = controlRequests();
  await listen(path, requests);
  const woken = requests.woken(new AbortController().signal);
  expect(await askWatch(path, '/wake')).toBe('');
  await woken;
  const answer = askWatch(path, '/reconcile');
  await requests.asked(new AbortController().signal);
  for (const each of requests.take()) each(allWell);
  expect(JSON.parse((await answer) ?? '')).toMatchObject({ stack: allWell.stack });
});

test('a standby reconciles nothing, and nothing listens where there is no watch', async () => {
  const path = join(folder(), 'watch.sock');
  expect(await askWatch(path, '/reconcile')).toBeUndefined();
  expect(await wakeWatch({ socketPath: path })).toBe(false);
  expect(await wakeWatch({})).toBe(false);
  await listen(path, controlRequests(), false);
  await expect(askWatch(path, '/reconcile')).rejects.toThrow('this process is a standby');
});

test('a socket that nobody listens at any more is no watch, and one that does not answer is an error', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'left.sock'), '');
  expect(await askWatch(join(dir, 'left.sock'), '/status')).toBeUndefined();
  expect(await askWatch(join(dir, 'left.sock', 'watch.sock'), '/status')).toBeUndefined();
  const deaf = createServer((connection) => connection.destroy()).listen(join(dir, 'deaf.sock'));
  onTestFinished(() => void deaf.close());
  await expect(askWatch(join(dir, 'deaf.sock'), '/status')).rejects.toThrow();
});

test('a process that accepts connections and does not respond is reported with the holder of the lock', async () => {
  const dir = await stack();
  mkdirSync(join(dir, '.sluice'));
  const lock = await acquireLock(join(dir, '.sluice/lock'), 'sluice watch');
  onTestFinished(() => lock.release());
  for (const command of ['status', 'reconcile']) {
    const path = join(dir, '.sluice/watch.sock');
    const frozen = createServer().listen(path);
    onTestFinished(() => void frozen.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = sluice(dir, command);
    const [connection] = (await once(frozen, 'connection')) as [Socket];
    await once(connection, 'data');
    vi.advanceTimersByTime(10_000);
    const { code, err } = await ended;
    vi.useRealTimers();
    frozen.close();
    expect(code).toBe(1);
    expect(err).toContain(
      `${path}: a process accepts connections at the socket of the watch, but has not responded for 10 s`,
    );
    expect(err).toContain(`(process ${String(process.pid)}, since `);
    expect(err).toContain('kill -CONT');
  }
});

test('whoever waits for a reconciliation learns that it goes on, and gives up on a watch that stops meanwhile', async () => {
  const path = join(folder(), 'watch.sock');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const requests = controlRequests();
  await listen(path, requests);
  const accepted = vi.fn<() => void>();
  const answer = askWatch(path, '/reconcile', { onAccepted: accepted });
  await expect.poll(() => accepted.mock.calls.length).toBe(1);
  for (let minutes = 0; minutes < 5; minutes++) {
    for (let seconds = 0; seconds < 60; seconds += 5) {
      vi.advanceTimersByTime(5_000);
      await new Promise((done) => setImmediate(done));
    }
  }
  for (const each of requests.take()) each(allWell);
  expect(JSON.parse((await answer) ?? '')).toMatchObject({ stack: allWell.stack });
  const never = createServer((connection) => connection.write('HTTP/1.1 102 Processing\r\n\r\n'));
  never.listen(`${path}2`);
  onTestFinished(() => void never.close());
  const heard = vi.fn<() => void>();
  const unanswered = askWatch(`${path}2`, '/reconcile', { onAccepted: heard });
  while (heard.mock.calls.length === 0) await new Promise((done) => setImmediate(done));
  vi.advanceTimersByTime(60_000);
  await expect(unanswered).rejects.toThrow('has not responded for 60 s');
});

test('a path that is too long leaves nothing behind', async () => {
  const dir = folder();
  await expect(listen(join(dir, 'x'.repeat(200)), controlRequests())).rejects.toThrow();
  expect(readdirSync(dir)).toEqual([]);
});

test('`sluice reconcile` reaches a running watch, and reports that where there is none', async () => {
  const watch = await startWatch('heal_drift: true', { 'a.yaml': address('one') });
  await watch.until(async () => (await watch.described()) === 'one');
  const done = await sluice(watch.dir, 'reconcile', { env: watch.env });
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('Ready: True (InSync)')]);
  const json = await sluice(watch.dir, 'reconcile --format json', { env: watch.env });
  expect(JSON.parse(json.out)).toMatchObject({ summary: { 'in-sync': 1 } });
  expect((await sluice(watch.dir, 'pause --for 1h', { env: watch.env })).code).toBe(0);
  await watch.until(async () => (await watch.status()).role === 'paused');
  const paused = await sluice(watch.dir, 'reconcile', { env: watch.env });
  expect(paused).toMatchObject({ code: 1, out: '' });
  expect(paused.err).toMatch(
    /the watch of this stack is paused by .* until .*Z, so it did not complete a reconciliation/,
  );
  expect(paused.err).toContain(`run \`sluice -C ${watch.dir} resume\``);
  expect((await sluice(watch.dir, 'resume', { env: watch.env })).code).toBe(0);
  await watch.until(async () => (await watch.status()).role === 'leader');
  expect((await sluice(watch.dir, 'reconcile', { env: watch.env })).code).toBe(0);
  expect((await watch.stop()).code).toBe(130);
  const none = await sluice(watch.dir, 'reconcile', { env: watch.env });
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('the watch of this stack cannot be reached')]);
  expect(none.err).toContain('no process listens at');
});
