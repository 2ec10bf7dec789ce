import { Pool } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { alwaysPermitted, whileAllowed, type WritePermit } from '../../src/api/while-allowed.ts';
import { httpService, json, type HttpService } from '../support/http-service.ts';

/** A client with one connection; its permit is as `lock` says at each moment. */
function clientOf({ url }: HttpService, lock: { isMine: boolean; mayWrite: boolean }): Client {
  const permit: WritePermit = { ...alwaysPermitted, isMine: () => lock.isMine, mayWrite: () => lock.mayWrite };
  const pool = new Pool(url, { connections: 1 });
  onTestFinished(() => pool.destroy());
  const dispatcher = pool.compose(whileAllowed(permit));
  return createClient({ baseUrl: url, vendor: 'example', key: () => 'k', userAgent: 't', dispatcher });
}

const write = { method: 'POST', path: '/reserved_addrs', body: {} } as const;

test.each([
  ['LOCK_LOST', { isMine: false, mayWrite: true }],
  ['WRITE_HELD_BACK', { isMine: true, mayWrite: false }],
])('a write is not sent without a permit (%s); a read is', async (code, lock) => {
  const service = await httpService((_, response) => json(response, 200, {}));
  const client = clientOf(service, lock);
  await expect(client.write(write)).rejects.toMatchObject({ code });
  await client.get('/reserved_addrs');
  expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
});

test.each([
  ['LOCK_LOST', { isMine: false }],
  ['WRITE_HELD_BACK', { mayWrite: false }],
])('a write that waits for a connection is not sent once the permit has ended (%s)', async (code, ended) => {
  const lock = { isMine: true, mayWrite: true };
  const service = await httpService((_, response) => {
    Object.assign(lock, ended);
    json(response, 200, {});
  });
  const client = clientOf(service, lock);
  const [first, second] = await Promise.allSettled([client.write(write), client.write(write)]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: { code } });
  expect(service.requests).toHaveLength(1);
});
