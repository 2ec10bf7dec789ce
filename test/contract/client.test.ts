import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client, type WriteRequest } from '../../src/api/client.ts';
import { ApiError, NotAllowed } from '../../src/api/api-errors.ts';
import { cannedAnswer, type Canned } from './canned.ts';
import { readExchanges, readShapes, type Exchange } from './fixture.ts';
import { requestOf, type Sent } from './replay.ts';
import { spellOut, type Json } from './words.ts';

// The answers of the fixtures, served by a real server, read through the client: it must send what the fixture says.

const shapes = readShapes();
const dispatcher = new Agent();
const received: Sent[] = [];
let next: Canned = { status: 500 };
let server: Server;
let client: Client;

beforeAll(async () => {
  server = createServer((request, response) => {
    void textOf(request).then((body) => {
      received.push(sentBy(request, body));
      response.writeHead(next.status, next.body === undefined ? {} : { 'content-type': 'application/json' });
      response.end(next.body === undefined ? undefined : JSON.stringify(next.body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const key = (): string => 'contract-key';
  client = createClient({
    baseUrl: `http://127.0.0.1:${port}`,
    vendor: 'example',
    key,
    dispatcher,
    userAgent: 'contract',
  });
});

afterAll(async () => {
  await dispatcher.close();
  await new Promise((closed) => server.close(closed));
});

// The client has no way to send a wrong header or a broken body.
const sendable = readExchanges().filter(({ steps }) => steps.every((step) => !step.headers && step.raw === undefined));

describe.each([...new Set(sendable.map(({ family }) => family))])('%s', (family) => {
  it.each(sendable.filter((exchange) => exchange.family === family))('$name', walk);
});

async function walk({ steps }: Exchange): Promise<void> {
  const captured: Record<string, Json> = {};
  for (const step of steps) {
    const expected = requestOf(step, captured, shapes);
    next = cannedAnswer(step, (value) => spellOut(value, captured, shapes));
    received.length = 0;
    await (next.status < 300 ? readsTheAnswer(expected, next.body) : failsAsTold(expected, next.body));
    expect(received).toEqual([expected]);
    if (step.as !== undefined && next.body !== undefined) captured[step.as] = next.body;
  }
}

async function readsTheAnswer(request: Sent, body: Json | undefined): Promise<void> {
  const list = wholeList(body);
  if (list === undefined) {
    expect(await send(request)).toEqual(body);
  } else {
    const items: unknown[] = [];
    for await (const item of client.list(request.path, list.key)) items.push(item);
    expect(items).toEqual(list.items);
  }
}

async function failsAsTold(request: Sent, body: Json | undefined): Promise<void> {
  const error = await send(request).catch((caught: unknown) => caught);
  const {
    status_code: status,
    error_code: errorCode,
    msg,
  } = body as {
    readonly status_code: number;
    readonly error_code?: string;
    readonly msg: string;
  };
  expect(error).toBeInstanceOf(status === 401 || status === 403 ? NotAllowed : ApiError);
  const facts = {
    method: request.method,
    path: request.path,
    status,
    errorCode,
    msg,
  };
  expect(error).toMatchObject(facts);
  expect((error as Error).message).toContain(`${request.method} ${request.path} returned ${status}`);
}

function send({ method, path, body }: Sent): Promise<unknown> {
  if (method === 'GET') return client.get(path);
  const parsed: unknown = body === undefined ? undefined : JSON.parse(body);
  return client.write({
    method: method as WriteRequest['method'],
    path,
    ...(body === undefined ? {} : { body: parsed }),
  });
}

/** The items of an answer that is a list's only page. */
function wholeList(body: Json | undefined): { readonly key: string; readonly items: Json } | undefined {
  if (body === null || typeof body !== 'object') return undefined;
  const { next_page_uri: nextPage, uri: _, ...rest } = body as { readonly [key: string]: Json };
  const [key, ...others] = Object.keys(rest);
  return nextPage === null && key !== undefined && others.length === 0 ? { key, items: rest[key] ?? null } : undefined;
}

/** A request with the headers the description names, and nothing else of what travels with it. */
function sentBy({ method = '', url = '', headers }: IncomingMessage, body: string): Sent {
  const named = {
    Authorization: headers.authorization,
    'Example-Version': headers['example-version'],
    'Content-Type': headers['content-type'],
  };
  const present = Object.entries(named).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return { method, path: url, headers: Object.fromEntries(present), ...(body === '' ? {} : { body }) };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
