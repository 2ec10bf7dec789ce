import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { afterEach, expect, test } from 'vitest';
import type { ListeningServer } from '../../src/emulator/http/server.ts';
import { setUp } from './support/setup.ts';

const headers = { authorization: 'Bearer key', 'example-version': '2' };
const open: ListeningServer[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function listening() {
  const all = setUp();
  const server = await all.emulator.listen();
  open.push(server);
  return { ...all, url: server.url };
}

test('over sockets URIs begin as the client called the server', async () => {
  const { url } = await listening();
  const answer = await request(`${url}/reserved_addrs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{"region": "eu"}',
  });
  const body = (await answer.body.json()) as { readonly id: string; readonly uri: string; readonly region: string };
  expect(answer.statusCode).toBe(201);
  expect(body).toMatchObject({ region: 'eu', uri: `${url}/reserved_addrs/${body.id}` });
});

test('over sockets a body of more than 1 MiB is refused', async () => {
  const { url } = await listening();
  const sent = request(`${url}/reserved_addrs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: ' '.repeat(3_000_000),
  });
  expect((await sent).statusCode).toBe(413);
});

/** The answer to a request as it stands on the wire. */
function spoken(url: string, text: string): Promise<string> {
  return new Promise((answered, failed) => {
    let heard = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(text));
    socket.on('data', (data: Buffer) => (heard += data.toString()));
    socket.on('end', () => answered(heard));
    socket.on('error', failed);
  });
}

test('a path may be written as a whole URL, and with letters in percent', async () => {
  const { url } = await listening();
  const rest = 'Host: api.example.com\r\nauthorization: Bearer key\r\nEXAMPLE-VERSION: 2\r\nConnection: close\r\n\r\n';
  for (const target of ['http://api.example.com/reserved_addrs?limit=1', '/reserved%5Faddrs'])
    expect(await spoken(url, `GET ${target} HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(await spoken(url, `GET /reserved%2Faddrs HTTP/1.1\r\n${rest}`)).toMatch(/^HTTP\/1\.1 404 /);
});

test.each(['sluice_emulator:8080', '[::1]:8080', 'api.example.com'])(
  'URIs begin with the host as a client at %s calls it',
  async (host) => {
    const { url } = await listening();
    const rest = `Host: ${host}\r\nauthorization: Bearer key\r\nexample-version: 2\r\nConnection: close\r\n\r\n`;
    const answer = await spoken(url, `GET /reserved_addrs HTTP/1.1\r\n${rest}`);
    expect(answer).toContain(`"uri":"http://${host}/reserved_addrs"`);
  },
);

test('without sockets a client is answered through a dispatcher', async () => {
  const { emulator } = setUp();
  const dispatcher = emulator.dispatcher();
  const created = await request('http://emulator.invalid/reserved_addrs', {
    dispatcher,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: '{}',
  });
  expect(created.statusCode).toBe(201);
  const listed = await request('https://api.example.com/reserved_addrs?limit=1', { dispatcher, headers });
  expect(await listed.body.json()).toMatchObject({
    uri: 'https://api.example.com/reserved_addrs',
    reserved_addrs: [{ region: 'us' }],
  });
});

test('what is put around the emulator can break an answer, with and without sockets alike', async () => {
  const { emulator, url } = await listening();
  emulator.intercept(async (_, next) => ({ ...(await next()), broken: { how: 'cut', after: 10 } }));
  const broken = async (dispatcher: ReturnType<typeof emulator.dispatcher>) => {
    const { body } = await request(`${url}/reserved_addrs`, { dispatcher, headers });
    return body.text();
  };
  await expect(broken(emulator.dispatcher())).rejects.toThrow(/other side closed/);
  await expect(broken(new Agent())).rejects.toThrow(/other side closed/);
});

test('an aborted request is given up in process too', async () => {
  const { emulator } = setUp();
  emulator.intercept(async (_, next) => ({ ...(await next()), broken: { how: 'stall' } }));
  const sent = request('http://emulator.invalid/reserved_addrs', {
    dispatcher: emulator.dispatcher(),
    headers,
    signal: AbortSignal.timeout(20),
  });
  await expect(sent).rejects.toThrow(/timeout|abort/i);
});

test('every request is logged, with who sent it', async () => {
  const { emulator } = setUp();
  await emulator.handle({ method: 'GET', path: '/reserved_addrs?limit=1', headers, actor: 'somebody' });
  expect(emulator.log).toEqual([
    { n: 1, method: 'GET', path: '/reserved_addrs?limit=1', status: 200, actor: 'somebody' },
  ]);
});
