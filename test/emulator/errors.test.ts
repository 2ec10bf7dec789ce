import { describe, expect, test } from 'vitest';
import { setUp } from './support/setup.ts';

const headers = {
  authorization: 'Bearer key',
  'example-version': '2',
  'content-type': 'application/json',
};

interface Case {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly status: number;
}

const cases: readonly Case[] = [
  { what: 'no credentials', headers: { authorization: undefined }, status: 401 },
  { what: 'credentials of another kind', headers: { authorization: 'Basic a2V5' }, status: 401 },
  { what: 'no version', headers: { 'example-version': undefined }, status: 400 },
  { what: 'another version', headers: { 'example-version': '1' }, status: 400 },
  { what: 'malformed JSON', method: 'POST', body: '{"a":', status: 400 },
  { what: 'JSON that is no object', method: 'POST', body: '[]', status: 400 },
  { what: 'no body where one is needed', method: 'POST', status: 400 },
  { what: 'an unknown query parameter', path: '/reserved_addrs?page=2', status: 400 },
  { what: 'a query where none is taken', path: '/reserved_addrs/ra_1?limit=1', status: 400 },
  { what: 'a page of nothing', path: '/reserved_addrs?limit=0', status: 400 },
  { what: 'a page of 101', path: '/reserved_addrs?limit=101', status: 400 },
  { what: 'an id that is none', path: '/reserved_addrs/%E0%A4%A', status: 404 },
  { what: 'an id of another kind', path: '/reserved_addrs/ca_1', status: 404 },
  { what: 'a path of nothing', path: '/teapots', status: 404 },
  { what: 'another method', method: 'PUT', status: 405 },
  { what: 'a body of more than 1 MiB', method: 'POST', body: ' '.repeat(1_048_577), status: 413 },
  {
    what: 'a body of another type',
    method: 'POST',
    body: 'a=1',
    headers: { 'content-type': 'text/plain' },
    status: 415,
  },
  {
    what: 'another method with a body of another type',
    method: 'PUT',
    body: 'a=1',
    headers: { 'content-type': 'text/plain' },
    status: 405,
  },
  {
    what: 'a path of nothing with a body of another type',
    method: 'POST',
    path: '/teapots',
    body: 'a=1',
    headers: { 'content-type': 'text/plain' },
    status: 404,
  },
  { what: '`__proto__` in a body', method: 'POST', body: '{"__proto__": {"region": "eu"}}', status: 400 },
];

describe('refusals', () => {
  test.each(cases)(
    '$what is $status',
    async ({ method = 'GET', path = '/reserved_addrs', headers: other, body, status }) => {
      const { emulator } = setUp();
      const answer = await emulator.handle({
        method,
        path,
        headers: { ...headers, ...other },
        ...(body === undefined ? {} : { body }),
      });
      const error = JSON.parse(answer.body) as Record<string, unknown>;
      expect(answer.status).toBe(status);
      expect(error).toMatchObject({ status_code: status, msg: expect.any(String) as string });
      expect(error['details']).toEqual({ operation_id: expect.stringMatching(/^op_/) as string });
    },
  );

  test('a plain 404 has no error code', async () => {
    expect((await setUp().call('GET', '/reserved_addrs/ra_1')).body).not.toHaveProperty('error_code');
  });

  test('a 405 names the methods there are', async () => {
    const { headers: reported } = await setUp().call('PUT', '/reserved_addrs/ra_1');
    expect(reported['allow']).toBe('GET, PATCH, DELETE');
  });

  test('with a key set, no other passes, and the answer reports what is asked for', async () => {
    const { emulator, call } = setUp({ apiKey: 'right' });
    const refused = await call('GET', '/reserved_addrs');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    const right = { ...headers, authorization: 'Bearer right' };
    expect((await emulator.handle({ method: 'GET', path: '/reserved_addrs', headers: right })).status).toBe(200);
  });

  test('a vendor has a version header of its own', async () => {
    const { call } = setUp({ vendor: 'acme' });
    const { status, body } = await call('GET', '/reserved_addrs');
    expect([status, body['msg']]).toEqual([400, 'The request requires the header Acme-Version: 2.']);
  });

  test('never repeats what may be a secret', async () => {
    const { emulator } = setUp();
    const body = '{"oauth": {"client_secret": "hunter2" oops';
    const answer = await emulator.handle({ method: 'POST', path: '/edges/https', headers, body });
    expect(answer.body).not.toContain('hunter2');
  });
});
