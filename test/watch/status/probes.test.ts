import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { address, startWatch } from '../start-watch.ts';

const crowd = 1_000;

test('1,000 half-open connections to the status page do not keep probes from an answer', async () => {
  const watch = await startWatch("listen_probes: '127.0.0.1:0'", { 'a.yaml': address('one') });
  const at = (what: string): string =>
    new RegExp(`${what} at (http://127\\.0\\.0\\.1:\\d+)`).exec(watch.log())?.[1] ?? '';
  await watch.until(() => at('probes') !== '');
  await watch.until(async () => (await watch.status()).last_refreshed !== undefined);
  const sockets = await Promise.all(
    Array.from({ length: crowd }, () => halfOpen(Number(new URL(at('status page')).port))),
  );
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (const path of ['/healthz', '/readyz', '/healthz']) {
    const answer = await fetch(at('probes') + path);
    expect([answer.status, await answer.text()]).toEqual([200, 'ok\n']);
  }
  for (const path of ['/', '/metrics', '/status.json']) expect((await fetch(at('probes') + path)).status).toBe(404);
  sockets.forEach((socket) => socket.destroy());
  expect((await watch.stop()).code).toBe(130);
});

/** A connection with a request that does not end; open or refused. */
function halfOpen(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ');
  return new Promise((done) => {
    socket.once('connect', () => done(socket));
    socket.once('close', () => done(socket));
  });
}
