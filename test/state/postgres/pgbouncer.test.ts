import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresAddress } from '../../../src/state/postgres/postgres-address.ts';
import { postgresStore } from '../../../src/state/postgres/postgres-store.ts';
import { probeStore } from '../../../src/state/remote/probe-store.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { temporaryFiles } from '../../support/manifests.ts';
import { startPgbouncer, withoutPgbouncer } from '../../support/pgbouncer-pool.ts';
import { startPostgres, withoutPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { describeBackend } from '../backend-contract.ts';
import { backendOver, probed } from '../remote/backends.ts';

const skipped = withoutPostgres + withoutPgbouncer;
let server: PostgresServer;
let pool: Awaited<ReturnType<typeof startPgbouncer>>;
let stacks = 0;

beforeAll(async () => {
  if (skipped !== '') return;
  server = await startPostgres();
  pool = await startPgbouncer(server);
});

afterAll(async () => {
  if (skipped !== '') return;
  await pool.stop();
  await server.stop();
});

function pooledStore(prefix: string): RemoteStore {
  const address = postgresAddress(pool.url, 'SLUICE_STATE_URL');
  const store = postgresStore({ address, schema: 'sluice', prefix, deadlineMs: 20_000, connections: 4 });
  onTestFinished(() => store.close());
  return store;
}

describeBackend(
  `PostgreSQL behind a pooler in transaction mode${skipped}`,
  () => {
    const prefix = `pooled${++stacks}`;
    return Promise.resolve({ another: async () => backendOver(await probed(pooledStore(prefix))) });
  },
  skipped !== '',
);

describe.skipIf(skipped !== '')(`a pooler in transaction mode${skipped}`, () => {
  test('lets the probe pass, also where clients share three connections', async () => {
    const store = pooledStore('probed');
    await store.prepare();
    expect((await probeStore(store)).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('that refuses a password with a code of its own has the URL read again from its file', async () => {
    const strict = await startPgbouncer(server, { sluice: 'word two' });
    onTestFinished(strict.stop);
    const file = join(temporaryFiles({}), 'url');
    const old = strict.url.replace('any:any', 'sluice:word one');
    writeFileSync(file, old);
    const address = { ...postgresAddress(old, 'SLUICE_STATE_URL'), file };
    const store = postgresStore({ address, schema: 'sluice', prefix: 'strict', deadlineMs: 20_000, connections: 4 });
    onTestFinished(() => store.close());
    await expect(store.read('lease')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('authentication failed') as string,
      hint: expect.stringContaining('user, password and database') as string,
    });
    writeFileSync(file, strict.url.replace('any:any', 'sluice:word two'));
    expect(await store.read('lease')).toBeUndefined();
  });
});
