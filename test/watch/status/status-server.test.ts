import { connect } from 'node:net';
import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import type { RepliesServer } from '../../../src/watch/status/http-replies.ts';
import { serveStatus, type StatusServerOptions } from '../../../src/watch/status/status-server.ts';
import { allWell, paused, standingBy } from '../statuses.ts';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

async function serve(options: Partial<StatusServerOptions> = {}): Promise<RepliesServer> {
  const server = await serveStatus({
    port: 0,
    status: () => allWell,
    metrics: () => 'sluice_up 1\n',
    now: () => allWell.now,
    onError: () => undefined,
    ...options,
  });
  onTestFinished(() => server.close());
  return server;
}

/** Sends the request as given, and not as a tidy client would. */
function ask(url: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<Reply> {
  return new Promise((done, failed) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    sent.on('error', failed);
    sent.end(body);
  });
}

async function probe(path: string, status: WatchStatus, now = status.now): Promise<string> {
  const { url } = await serve({ status: () => status, now: () => now });
  const reply = await ask(url + path);
  return `${reply.status} ${reply.body.trim()}`;
}

describe('it serves', () => {
  test('on loopback: the page, its JSON and metrics', async () => {
    const { url } = await serve();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(/<title>(.*)<\/title>/.exec((await ask(`${url}/`)).body)?.[1]).toContain('company');
    const json = await ask(`${url}/status.json`);
    expect(json.headers['content-type']).toBe('application/json');
    expect(JSON.parse(json.body)).toMatchObject({ stack: allWell.stack });
    const metrics = await ask(`${url}/metrics`);
    expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(metrics.body).toBe('sluice_up 1\n');
    expect((await ask(`${url}/../etc/passwd`)).status).toBe(404);
    expect((await ask(`${url}/constructor`)).status).toBe(404);
  });

  test('what a query asks for, each query apart', async () => {
    const { url } = await serve();
    const concerning = async (search: string): Promise<string[]> => {
      const { resources } = JSON.parse((await ask(`${url}/status.json${search}`)).body) as {
        readonly resources: readonly { readonly address: string }[];
      };
      return resources.map(({ address }) => address);
    };
    expect(await concerning('?address=HTTPSEdge/shop')).toEqual(['HTTPSEdge/shop']);
    expect(await concerning('?address=HTTPSEdge/api#c')).toEqual(['HTTPSEdge/api']);
    expect((await ask(`${url}/details?resource=HTTPSEdge/shop`)).body).toContain('<h1>HTTPSEdge/shop</h1>');
    expect((await ask(`${url}/details?resource=HTTPSEdge/none`)).status).toBe(404);
    expect((await ask(`${url}/details`)).status).toBe(404);
  });

  test('pages that no browser keeps, frames or guesses at', async () => {
    const { url } = await serve();
    for (const path of ['/', '/status.json', '/nothing'])
      expect((await ask(url + path)).headers).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': expect.stringContaining("default-src 'none'") as string,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
  });

  test('nothing anew to those who have it already', async () => {
    const { url } = await serve();
    const etag = String((await ask(`${url}/`)).headers['etag']);
    const again = await ask(`${url}/`, { headers: { 'if-none-match': etag } });
    expect([again.status, again.body]).toEqual([304, '']);
    expect((await ask(`${url}/`, { headers: { 'if-none-match': '"0"' } })).status).toBe(200);
  });

  test('heads without bodies', async () => {
    const { url } = await serve();
    const { headers } = await ask(`${url}/`);
    const head = await ask(`${url}/`, { method: 'HEAD' });
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', headers['content-length']]);
  });

  test('crowds from one rendering', async () => {
    let rendered = 0;
    const { url } = await serve({ metrics: () => `sluice_renderings ${++rendered}\n` });
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(`${url}/metrics`)));
    expect(all.map(({ status }) => status)).toEqual(new Array(20).fill(200));
    expect(rendered).toBeLessThan(20);
  });
});

describe('it refuses', () => {
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s', async (method) => {
    const { url } = await serve();
    const reply = await ask(`${url}/`, { method });
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  test('bodies', async () => {
    const { url } = await serve();
    for (const headers of [{ 'content-length': '5' }, { 'transfer-encoding': 'chunked' }]) {
      const reply = await ask(`${url}/`, { headers: { ...headers }, body: 'hello' });
      expect(reply.status).toBe(413);
    }
  });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '10.0.0.1', '[::2]', '.'])(
    'a name that others made to mean this machine: %j',
    async (host) => {
      const { url } = await serve();
      expect((await ask(`${url}/`, { headers: { host } })).status).toBe(421);
    },
  );

  test.each(['localhost', 'localhost:8642', '127.0.0.1', '127.9.9.9:1', '[::1]', '[::1]:8642', 'LOCALHOST'])(
    'but not its own names: %s',
    async (host) => {
      const { url } = await serve();
      expect((await ask(`${url}/`, { headers: { host } })).status).toBe(200);
    },
  );

  test('no name where it serves a network', async () => {
    const { url } = await serve({ host: '0.0.0.0' });
    const reply = await ask(url.replace('0.0.0.0', '127.0.0.1'), { headers: { host: 'sluice.monitoring.svc' } });
    expect(reply.status).toBe(200);
  });

  test('heads without end', async () => {
    const { url } = await serve();
    const reply = await ask(`${url}/`, { headers: { cookie: 'x'.repeat(20_000) } });
    expect(reply.status).toBe(431);
  });
});

describe('probes', () => {
  test('it lives until the moment by which its loop should have turned', async () => {
    expect(await probe('/healthz', allWell)).toBe('200 ok');
    expect(await probe('/healthz', allWell, allWell.dueBy! + 1)).toBe('503 the reconcile loop is overdue by 1 s');
  });

  test('it is ready once it has seen the account, or stands by', async () => {
    const { lastRefresh: _, lastSuccess: __, ...blind } = allWell;
    expect(await probe('/readyz', allWell)).toBe('200 ok');
    expect(await probe('/readyz', paused)).toBe('200 ok');
    expect(await probe('/readyz', blind)).toBe('503 the account has not been read yet');
    expect(await probe('/readyz', { ...blind, role: 'standby' })).toBe('200 ok');
    expect(await probe('/readyz', standingBy)).toBe('200 ok');
    expect(await probe('/readyz', { ...allWell, role: 'stopping' })).toBe('503 sluice is stopping');
    expect(await probe('/readyz', allWell, allWell.dueBy! + 1)).toMatch(/^503 the reconcile loop/);
  });
});

test('what goes wrong inside is logged, and not sent to the client', async () => {
  const errors: unknown[] = [];
  const { url } = await serve({
    metrics: () => {
      throw new Error('hunter2');
    },
    onError: (error) => errors.push(error),
  });
  const reply = await ask(`${url}/metrics`);
  expect([reply.status, reply.body]).toEqual([500, 'internal error; see the log\n']);
  expect(errors).toEqual([new Error('hunter2')]);
});

test('it is over at once, whoever is still connected', async () => {
  const server = await serve();
  const silent = connect(Number(new URL(server.url).port), '127.0.0.1');
  await new Promise((connected) => silent.once('connect', connected));
  const closed = new Promise((done) => silent.once('close', done));
  silent.on('error', () => undefined);
  silent.write('GET / HTTP/1.1\r\nHost: loc');
  await server.close();
  await closed;
  await expect(ask(server.url)).rejects.toThrow(/ECONNREFUSED/);
});

test('a port that is taken is an error', async () => {
  const { url } = await serve();
  await expect(serve({ port: Number(new URL(url).port) })).rejects.toThrow(/EADDRINUSE/);
});
