import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { wallClock } from '../../src/api/clock.ts';
import { createClient, type Client, type ClientOptions, type CompletedRequest } from '../../src/api/client.ts';
import { AmbiguousAnswer, ApiError, ConnectionFailed, mayHaveHappened, NotAllowed } from '../../src/api/api-errors.ts';
import { createLimiter } from '../../src/api/rate/limiter.ts';
import { readOnly } from '../../src/api/while-allowed.ts';
import { httpService, json, type HttpService, type ReceivedRequest } from '../support/http-service.ts';

const key = 'key-that-nobody-sees';

async function serve(
  answer: (request: ReceivedRequest, response: ServerResponse) => void,
  options: Partial<ClientOptions> = {},
): Promise<HttpService & { readonly client: Client }> {
  const service = await httpService(answer);
  const client = clientOf(service, options);
  return { ...service, client };
}

function clientOf({ url, dispatcher }: HttpService, options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: url, vendor: 'example', key: () => key, dispatcher, userAgent: 'test/1', ...options });
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it should have failed'),
    (error: unknown) => error,
  );
}

async function collect(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('a request', () => {
  test('carries the key, the version under the operator name, and no wish for compression', async () => {
    const { client, requests } = await serve((_, response) => json(response, 200, { id: 'ra_1' }));
    expect(await client.get('/reserved_addrs/ra_1')).toEqual({ id: 'ra_1' });
    expect(requests[0]).toMatchObject({ method: 'GET', path: '/reserved_addrs/ra_1', body: '' });
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'example-version': '2',
      'accept-encoding': 'identity',
      'user-agent': 'test/1',
    });
    expect(requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test('with a body is JSON, and 204 answers nothing', async () => {
    const { client, requests } = await serve((_, response) => response.writeHead(204).end());
    expect(await client.write({ method: 'POST', path: '/a/x/stop', body: {} })).toBeUndefined();
    expect(requests[0]).toMatchObject({ body: '{}', headers: { 'content-type': 'application/json' } });
  });

  test('goes below the path of the base URL', async () => {
    const { url, dispatcher, requests } = await serve((_, response) => json(response, 200, {}));
    const client = clientOf({ url, dispatcher, requests }, { baseUrl: `${url}/v1/` });
    await client.get('/edges/e');
    expect(requests[0]?.path).toBe('/v1/edges/e');
  });

  test('is reported when it is over, with the status it got', async () => {
    const done: CompletedRequest[] = [];
    const { client } = await serve((_, response) => json(response, 404, {}), {
      onRequest: (facts) => done.push(facts),
    });
    await failure(client.get('/a/1'));
    expect(done).toMatchObject([{ method: 'GET', path: '/a/1', status: 404 }]);
    expect(done[0]?.ms).toBeGreaterThanOrEqual(0);
  });

  test.each(['/edges/', '/edges//routes', '/edges/..', '/edges/%2e%2E/x', 'edges', '/a b', '/a\nb'])(
    'is refused where its path would lead elsewhere: %j',
    async (path) => {
      const { client, requests } = await serve((_, response) => response.writeHead(204).end());
      expect(await failure(client.write({ method: 'DELETE', path }))).toMatchObject({ code: 'INVALID_PATH' });
      expect(requests).toEqual([]);
    },
  );

  test('with a broken key is not sent, and the key is not shown', async () => {
    const { client, requests } = await serve((_, response) => json(response, 200, {}), { key: () => 'half\nkey' });
    const error = await failure(client.get('/a/1'));
    expect(error).toMatchObject({ code: 'INVALID_API_KEY' });
    expect(String(error)).not.toContain('half');
    expect(requests).toEqual([]);
  });
});

describe('the base URL', () => {
  test.each([
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'ftp://api.example.com',
    'api.example.com',
    'https://me:secret@api.example.com',
    'https://api.example.com/?a=b',
    'https://api.example.com/#a',
  ])('%s is refused', async (baseUrl) => {
    const service = await httpService((_, response) => json(response, 200, {}));
    expect(() => clientOf(service, { baseUrl })).toThrow(expect.objectContaining({ code: 'INVALID_BASE_URL' }));
  });

  test.each(['https://api.example.com', 'http://localhost:4040', 'http://[::1]:80', 'http://emulator.invalid'])(
    '%s is taken',
    async (baseUrl) => {
      const service = await httpService((_, response) => json(response, 200, {}));
      expect(() => clientOf(service, { baseUrl })).not.toThrow();
    },
  );
});

describe('an error of the service', () => {
  test('is reported with method, path, status, code, message and operation', async () => {
    const { client } = await serve((_, response) => {
      response.setHeader('retry-after', '7');
      json(response, 400, {
        error_code: 'E_1',
        status_code: 400,
        msg: 'match taken.',
        details: { operation_id: 'op_1' },
      });
    });
    const error = await failure(client.write({ method: 'POST', path: '/a', body: {} }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'API_REFUSED',
      message: 'POST /a returned 400 E_1: match taken',
      status: 400,
      errorCode: 'E_1',
      msg: 'match taken.',
      retryAfter: 7000,
    });
    expect(mayHaveHappened(error)).toBe(false);
  });

  test('of a version header with another name is an error that names api.vendor', async () => {
    const { client } = await serve((_, response) =>
      json(response, 400, { error_code: 'INVALID_API_VERSION', msg: 'The header is missing.' }),
    );
    const error = await failure(client.get('/reserved_addrs'));
    expect(error).toMatchObject({ errorCode: 'INVALID_API_VERSION' });
    expect((error as ApiError).hint).toContain('api.vendor');
  });

  test.each(['0', new Date(0).toUTCString()])(
    'with a Retry-After of %s tells nobody how long to wait',
    async (text) => {
      const service = await httpService((_, response) => {
        response.setHeader('retry-after', text);
        json(response, 429, { msg: 'slow down' });
      });
      const heard: (number | undefined)[][] = [];
      const limiter = { admit: () => Promise.resolve((...got: (number | undefined)[]) => void heard.push(got)) };
      expect(await failure(clientOf(service, { limiter }).get('/a/1'))).toMatchObject({ retryAfter: undefined });
      expect(heard).toEqual([[429, undefined]]);
    },
  );

  test.each([401, 403])('%i is distinguished: nothing can be concluded from it', async (status) => {
    const { client } = await serve((_, response) => json(response, status, { msg: 'no' }));
    expect(await failure(client.get('/a/1'))).toBeInstanceOf(NotAllowed);
  });

  test('that is a page of a proxy shows how it begins', async () => {
    const { client } = await serve((_, response) => response.writeHead(502).end('<html>\n<h1>Bad gateway</h1>'));
    const error = await failure(client.write({ method: 'DELETE', path: '/a/1' }));
    expect(String(error)).toContain(
      'returned 502: the response body is not a JSON object: <html> <h1>Bad gateway</h1>',
    );
    expect(mayHaveHappened(error)).toBe(true);
  });

  test('cannot move the cursor, hide text or go on for ever', async () => {
    const { client } = await serve((_, response) =>
      json(response, 400, { msg: `\u001b[2J\u202e\r${'x'.repeat(9999)}` }),
    );
    const error = (await failure(client.get('/a/1'))) as ApiError;
    expect(error.message).toContain('\\u{1b}[2J\\u{202e}\\u{d}xxx');
    expect(error.message.length).toBeLessThan(600);
  });

  test('repeats neither the key nor a secret of the request, in JSON or not', async () => {
    const secret = 'a "quoted"\nsecret';
    const { client } = await serve((request, response) =>
      request.path === '/json'
        ? json(response, 400, { msg: `bad ${secret} of ${key}`, error_code: secret })
        : response.writeHead(400).end(`${JSON.stringify([secret])} ${String(request.headers.authorization)}`),
    );
    for (const path of ['/json', '/html']) {
      const error = await failure(client.write({ method: 'POST', path, body: { secret }, secrets: [secret] }));
      expect(JSON.stringify(error) + String(error)).toContain('(secret)');
      expect(JSON.stringify(error) + String(error)).not.toMatch(/quoted|key-that-nobody-sees/);
    }
  });

  test('repeats no text of a secret that is JSON, which stands in the request with a marker beside it', async () => {
    const secret = JSON.stringify({ note: 'a "quoted" secret', more: [{ password: 'hunter2-and-more' }] });
    const metadata = JSON.stringify({ ...(JSON.parse(secret) as object), sluice: { s: 'company' } });
    const { client } = await serve((request, response) =>
      request.path === '/json'
        ? json(response, 400, { msg: `bad ${request.body}`, error_code: metadata })
        : response.writeHead(400).end(JSON.stringify({ said: request.body }).slice(8)),
    );
    for (const path of ['/json', '/html']) {
      const error = await failure(client.write({ method: 'POST', path, body: { metadata }, secrets: [secret] }));
      expect(JSON.stringify(error) + String(error)).toContain('(secret)');
      expect(JSON.stringify(error) + String(error)).not.toMatch(/quoted|hunter2/);
    }
  });

  test('a redirect is not followed, and reports where it led', async () => {
    const other = await httpService((_, response) => json(response, 200, {}));
    const { client } = await serve((_, response) => response.writeHead(307, { location: `${other.url}/a` }).end());
    expect(await failure(client.get('/a/1'))).toMatchObject({
      code: 'REDIRECTED',
      msg: `sluice does not follow the redirect to ${other.url}/a`,
    });
    expect(other.requests).toEqual([]);
  });
});

test('an answer that is announced by informational ones is read like any other', async () => {
  const { client } = await serve((_, response) => {
    response.writeProcessing();
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    json(response, 200, { id: 'a' });
  });
  expect(await client.get('/a/1')).toEqual({ id: 'a' });
});

describe('an answer that cannot be read', () => {
  const oddities: [string, (response: ServerResponse) => void][] = [
    ['is empty', (response) => response.writeHead(200).end()],
    ['is not JSON', (response) => response.writeHead(200).end('ok')],
    ['is JSON but no object', (response) => json(response, 200, ['a'])],
    ['is no UTF-8', (response) => response.writeHead(200).end(Buffer.from('{"a":"\xff"}', 'latin1'))],
    ['is compressed', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'))],
    ['is too large', (response) => response.writeHead(200).end(JSON.stringify({ a: 'x'.repeat(5000) }))],
    [
      'is cut short of its length',
      (response) => {
        response.writeHead(200, { 'content-length': 100 }).write('{"id":');
        setTimeout(() => response.destroy(), 20);
      },
    ],
    [
      'is cut by closing the connection',
      (response) => {
        response.writeHead(200, { connection: 'close', 'transfer-encoding': 'identity' }).write('{"id":"ra_1","descr');
        setTimeout(() => response.socket?.end(), 20);
      },
    ],
  ];

  test.each(oddities)('because it %s leaves a write open: it may have happened', async (_, answer) => {
    const { client } = await serve((_request, response) => answer(response), { maxBytes: 4096 });
    const error = await failure(client.write({ method: 'POST', path: '/a', body: {} }));
    expect(error).toBeInstanceOf(AmbiguousAnswer);
    expect(mayHaveHappened(error)).toBe(true);
  });

  test.each(oddities)('because it %s is an error of a read, never an empty resource', async (_, answer) => {
    const { client } = await serve((_request, response) => answer(response), { maxBytes: 4096 });
    expect(await failure(client.get('/a/1'))).toMatchObject({ code: 'UNREADABLE_RESPONSE' });
  });
});

describe('a connection', () => {
  test('that is refused reports that the write did not happen', async () => {
    const service = await httpService((_, response) => json(response, 200, {}));
    const client = clientOf(service, { baseUrl: 'http://127.0.0.1:1' });
    const error = await failure(client.write({ method: 'POST', path: '/a', body: {} }));
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(mayHaveHappened(error)).toBe(false);
  });

  test('that is cut before the answer leaves a write open', async () => {
    const { client } = await serve((_, response) => response.destroy());
    const error = await failure(client.write({ method: 'POST', path: '/a', body: {} }));
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' });
    expect(mayHaveHappened(error)).toBe(true);
  });

  test('that drips is ended by the deadline for the whole answer', async () => {
    const drip = (response: ServerResponse): void => {
      response.writeHead(200).write('{');
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    };
    const { client } = await serve((_, response) => drip(response), { deadlineMs: 100 });
    expect(await failure(client.get('/a/1'))).toMatchObject({ code: 'REQUEST_TIMEOUT', mayHaveHappened: false });
  });

  test('that reports nothing at all is ended by the deadline too', async () => {
    const { client } = await serve(() => undefined, { deadlineMs: 100 });
    const error = await failure(client.write({ method: 'PATCH', path: '/a/1', body: {} }));
    expect(error).toMatchObject({ code: 'REQUEST_TIMEOUT', mayHaveHappened: true });
  });

  test('is given up on interruption, and nothing is sent after it', async () => {
    const stop = new AbortController();
    const { client, requests } = await serve(() => stop.abort(), { signal: stop.signal });
    expect(await failure(client.get('/a/1'))).toMatchObject({ code: 'INTERRUPTED' });
    expect(await failure(client.write({ method: 'DELETE', path: '/a/1' }))).toMatchObject({ mayHaveHappened: false });
    expect(requests).toHaveLength(1);
  });

  test('that waits for its turn is called off, and certainly not sent; one that was sent is waited for', async () => {
    const stop = new AbortController();
    const { client, requests } = await serve(
      (_request, response) => {
        stop.abort();
        setTimeout(() => response.writeHead(204).end(), 10);
      },
      { calledOff: stop.signal, limiter: createLimiter({ requests: 1, perMs: 3_600_000 }, wallClock) },
    );
    const both = await Promise.allSettled(['1', '2'].map((id) => client.write({ method: 'DELETE', path: `/a/${id}` })));
    expect(both).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { code: 'INTERRUPTED', mayHaveHappened: false } },
    ]);
    expect(requests).toHaveLength(1);
  });

  test('for reading lets no write through', async () => {
    const service = await httpService((_, response) => json(response, 200, { id: 'a' }));
    const client = createClient({
      baseUrl: service.url,
      vendor: 'example',
      key: () => key,
      dispatcher: service.dispatcher.compose(readOnly),
      userAgent: 'test/1',
    });
    expect(await client.get('/a/1')).toEqual({ id: 'a' });
    expect(await failure(client.write({ method: 'DELETE', path: '/a/1' }))).toMatchObject({
      code: 'READ_ONLY_COMMAND',
    });
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('a list', () => {
  test('is followed as the service says, by absolute address or path alone', async () => {
    const { client, requests } = await serve((request, response) => {
      const next = { '/a': `${host(request)}/a?before_id=2&x=%20`, '/a?before_id=2&x=%20': '/a?before_id=3' }[
        request.path
      ];
      json(response, 200, { items: [request.path], uri: '/a', next_page_uri: next ?? null });
    });
    expect(await collect(client.list('/a', 'items'))).toEqual(['/a', '/a?before_id=2&x=%20', '/a?before_id=3']);
    expect(requests).toHaveLength(3);
  });

  test('keeps to the path of the base URL when the service leaves it out', async () => {
    const service = await httpService((request, response) =>
      json(response, 200, { items: [request.path], next_page_uri: request.path === '/v1/a' ? '/a?page=2' : null }),
    );
    const client = clientOf(service, { baseUrl: `${service.url}/v1` });
    expect(await collect(client.list('/a', 'items'))).toEqual(['/v1/a', '/v1/a?page=2']);
  });

  test.each([
    ['to another service', () => 'http://127.0.0.1:1/a?page=2'],
    ['to another service without a scheme', () => '//127.0.0.1:1/a?page=2'],
    ['back to where it was', () => '/a'],
    ['nowhere', () => 7],
  ])('that leads %s is an error, and the key stays here', async (_, next) => {
    const { client, requests } = await serve((_request, response) =>
      json(response, 200, { items: [], next_page_uri: next() }),
    );
    expect(await failure(collect(client.list('/a', 'items')))).toMatchObject({ code: 'UNREADABLE_LIST_RESPONSE' });
    expect(requests).toHaveLength(1);
  });

  test('whose answer has no such list is an error, not an empty list', async () => {
    const { client } = await serve((_, response) => json(response, 200, { other: [] }));
    expect(await failure(collect(client.list('/a', 'items')))).toMatchObject({
      code: 'UNREADABLE_LIST_RESPONSE',
      msg: 'the response contains no list `items`',
    });
  });
});

function host({ headers }: ReceivedRequest): string {
  return `http://${headers.host ?? ''}`;
}
