import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../src/api/client.ts';
import { wallClock } from '../../../src/api/clock.ts';
import { openConnections } from '../../../src/api/connection/network.ts';
import { createRetry } from '../../../src/api/retry.ts';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { privateAuthority } from '../../support/private-authority.ts';
import { stoppedNetwork } from '../../support/stopped-thread.ts';
import { until } from '../../support/until.ts';

const authority = privateAuthority();

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** The way to a service: it passes everything on, and notes how each connection to it ends. */
async function wayTo(port: number): Promise<{ readonly ends: readonly string[]; readonly port: number }> {
  const ends: string[] = [];
  const way = createServer((front) => {
    const back = connect(port, '127.0.0.1');
    back.on('error', () => undefined);
    front.once('error', (error: Error & { code?: string }) => {
      ends.push(error.code ?? 'error');
      back.destroy();
    });
    front.once('end', () => ends.push('closed in order'));
    front.pipe(back).pipe(front);
  });
  return { ends, port: await listening(way) };
}

/** Has a service answer its first request, and nothing after it. */
function answeringOnce(): (socket: Socket) => void {
  let answers = 0;
  return (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => {
      if (answers++ === 0) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
  };
}

const services = {
  http: () => createServer(answeringOnce()),
  https: () => createTlsServer(authority.identity('127.0.0.1'), answeringOnce()),
};

test.each(['http', 'https'] as const)(
  'a write over %s that is given up at its deadline resets its connection',
  async (scheme) => {
    const { ends, port } = await wayTo(await listening(services[scheme]()));
    const { dispatcher, close } = openConnections({
      proxy: { env: {} },
      authorities: { text: authority.pem, from: 'SLUICE_CA_FILE' },
    });
    onTestFinished(close);
    const baseUrl = `${scheme}://127.0.0.1:${port}`;
    const about = { baseUrl, vendor: 'example', key: () => 'k', userAgent: 't', dispatcher };
    // The connection is made, and free, before the deadline counts.
    await createClient(about).get('/reserved_addrs');
    await new Promise((resolve) => setImmediate(resolve));
    const client = createClient({ ...about, deadlineMs: 300 });
    const given = client.write({ method: 'POST', path: '/reserved_addrs', body: { description: 'x' } });
    await expect(given).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT', mayHaveHappened: true });
    await until(() => ends.length > 0);
    expect(ends).toEqual(['ECONNRESET']);
  },
);

test('an answer that arrived while the process was stopped for longer than the deadline is taken', async () => {
  const emulator = createEmulator();
  const service = await emulator.listen();
  const network = await stoppedNetwork(Number(new URL(service.url).port));
  const { dispatcher, close } = openConnections({ proxy: { env: {} } });
  onTestFinished(async () => {
    await close();
    await service.close();
  });
  const baseUrl = `http://127.0.0.1:${network.port}`;
  const about = { baseUrl, vendor: 'example', key: () => 'k', userAgent: 't', dispatcher, deadlineMs: 2_000 };
  const client = createClient(about);
  await client.get('/reserved_addrs');
  const created = client.write({ method: 'POST', path: '/reserved_addrs', body: { region: 'eu' } });
  await network.stopThroughAnswer(2_100);
  expect(await created).toMatchObject({ region: 'eu' });
});

test('an answer with too large headers is not asked for again', async () => {
  let answers = 0;
  const port = await listening(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        answers += 1;
        socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`);
      });
    }),
  );
  const { dispatcher, close } = openConnections({ proxy: { env: {} } });
  onTestFinished(close);
  const clock = { ...wallClock, sleep: () => Promise.resolve() };
  const about = { baseUrl: `http://127.0.0.1:${port}`, vendor: 'example', key: () => 'k', userAgent: 't', dispatcher };
  const client = createClient({ ...about, repeat: createRetry({ clock }) });
  await expect(client.get('/reserved_addrs')).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
  expect(answers).toBe(1);
});

/** Services that answer with bodies that never end, in each way of saying how long a body is. */
const heads = {
  'until the connection closes': 'Connection: close\r\n',
  'in chunks': 'Connection: close\r\nTransfer-Encoding: chunked\r\n',
  'of a length': 'Connection: close\r\nContent-Length: 1000000\r\n',
} as const;

describe.each(['http', 'https'] as const)('a response over %s', (scheme) => {
  test.each(Object.entries(heads))('that goes on %s is given up without an uncaught error', async (_, head) => {
    const answer = (socket: Socket): void => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n5\r\nhello\r\n`));
    };
    const server = scheme === 'http' ? createServer(answer) : createTlsServer(authority.identity('127.0.0.1'), answer);
    const port = await listening(server);
    const { dispatcher, close } = openConnections({
      proxy: { env: {} },
      authorities: { text: authority.pem, from: 'SLUICE_CA_FILE' },
    });
    onTestFinished(close);
    const about = { vendor: 'example', key: () => 'k', userAgent: 't', dispatcher, deadlineMs: 300 };
    const client = createClient({ ...about, baseUrl: `${scheme}://127.0.0.1:${port}` });
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on('uncaughtException', note);
    onTestFinished(() => void process.off('uncaughtException', note));
    const given = client.write({ method: 'POST', path: '/reserved_addrs', body: { description: 'x' } });
    await expect(given).rejects.toMatchObject({ code: 'REQUEST_TIMEOUT', mayHaveHappened: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(uncaught).toEqual([]);
  });
});
