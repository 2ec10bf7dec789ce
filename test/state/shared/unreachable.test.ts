import dns from 'node:dns';
import { expect, onTestFinished, test, vi } from 'vitest';
import { postgresStore } from '../../../src/state/postgres/postgres-store.ts';
import { s3Address } from '../../../src/state/s3/s3-address.ts';
import { s3Store } from '../../../src/state/s3/s3-store.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { freePort } from '../../support/postgres-server.ts';

const stores: Readonly<Record<string, (host: string, port: number) => RemoteStore>> = {
  PostgreSQL: (host, port) =>
    postgresStore({
      address: { host, port, database: 'company', user: 'sluice', password: 'word', encryption: 'none' },
      schema: 'sluice',
      prefix: 'stack',
      deadlineMs: 5_000,
      connections: 1,
    }),
  'a bucket': (host, port) =>
    s3Store({
      address: s3Address(
        { bucket: 'states', prefix: '', region: 'eu-1', endpoint: `http://${host}:${String(port)}` },
        'stack',
        { accessKeyId: 'id', secretAccessKey: 'word' },
      ),
      deadlineMs: 5_000,
    }),
};

test.each(Object.entries(stores))(
  'a state in %s whose host has two addresses, neither of which answers, is unavailable for the reason of the first',
  async (_, storeAt) => {
    const port = await freePort();
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    const lookup = (...given: unknown[]): void =>
      (given.at(-1) as (error: null, found: typeof addresses) => void)(null, addresses);
    vi.spyOn(dns, 'lookup').mockImplementation(lookup);
    onTestFinished(() => void vi.restoreAllMocks());
    const store = storeAt('states.example.com', port);
    onTestFinished(() => store.close());
    await expect(store.read('lease')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(
        new RegExp(`is unavailable: connect ECONNREFUSED 127\\.0\\.0\\.1:${String(port)}$`),
      ) as string,
    });
  },
);
