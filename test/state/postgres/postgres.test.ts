import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresAddress, renewedAddress } from '../../../src/state/postgres/postgres-address.ts';
import { postgresStore } from '../../../src/state/postgres/postgres-store.ts';
import { probeStore } from '../../../src/state/remote/probe-store.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { temporaryFiles } from '../../support/manifests.ts';
import { startPostgres, withoutPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';
import { stoppedNetwork } from '../../support/stopped-thread.ts';
import { describeBackend } from '../backend-contract.ts';
import { backendOver, probed } from '../remote/backends.ts';
import { databaseAt } from '../shared/state-services.ts';

let server: PostgresServer | undefined;
let stacks = 0;

beforeAll(async () => {
  if (withoutPostgres === '') server = await startPostgres();
});

afterAll(() => server?.stop());

function storeOf(prefix: string, url = running().url, schema = 'sluice', deadlineMs = 20_000): RemoteStore {
  const store = postgresStore({
    address: postgresAddress(url, 'SLUICE_STATE_URL'),
    schema,
    prefix,
    deadlineMs,
    connections: 4,
  });
  onTestFinished(() => store.close());
  return store;
}

/** Whether somebody waits for this in the database. */
async function isWaitedFor(event: string): Promise<boolean> {
  return (await running().run(`SELECT 1 FROM pg_stat_activity WHERE wait_event = '${event}'`)).length > 0;
}

/** Has a session take something, and sleep. Answers how to end it. */
async function holding(statements: string): Promise<() => Promise<void>> {
  const held = running()
    .run(`${statements}; SELECT pg_sleep(240)`)
    .catch(() => undefined);
  await until(() => isWaitedFor('PgSleep'));
  return async () => {
    await running().run(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'`);
    await held;
  };
}

function running(): PostgresServer {
  if (server === undefined) throw new Error('PostgreSQL has not started');
  return server;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describeBackend(
  `PostgreSQL${withoutPostgres}`,
  () => {
    const prefix = `stack${++stacks}`;
    return Promise.resolve({ another: async () => backendOver(await probed(storeOf(prefix))) });
  },
  withoutPostgres !== '',
);

describe.skipIf(withoutPostgres !== '')(`a PostgreSQL store${withoutPostgres}`, () => {
  test('passes the probe', async () => {
    const store = storeOf('probed');
    await store.prepare();
    const steps = await probeStore(store);
    expect(steps.filter(({ ok }) => !ok)).toEqual([]);
    expect(steps).toHaveLength(5);
    expect(await store.list('')).toEqual([]);
  });

  test('reads user and password again from their file once the database refuses them', async () => {
    const file = join(temporaryFiles({}), 'url');
    const [one, other] = [`renewed_${String(++stacks)}`, `renewed_${String(++stacks)}`];
    const { run, urlOf } = running();
    await run(`CREATE ROLE ${one} LOGIN SUPERUSER PASSWORD 'word one'`);
    writeFileSync(file, urlOf(one, 'word one'));
    const store = postgresStore({
      address: { ...postgresAddress(urlOf(one, 'word one'), 'SLUICE_STATE_URL'), file },
      schema: 'sluice',
      prefix: one,
      deadlineMs: 10_000,
      connections: 4,
    });
    onTestFinished(() => store.close());
    await store.prepare();
    const swapped = await store.swap('lease', undefined, bytes('x'));
    const cutOff = (): Promise<unknown> =>
      run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename IN ('${one}', '${other}')`);
    await run(`ALTER ROLE ${one} PASSWORD 'word two'`);
    await cutOff();
    await store.read('lease').catch(() => undefined);
    await expect(store.read('lease')).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
    writeFileSync(file, '');
    await expect(store.read('lease')).rejects.toMatchObject({
      code: 'STORE_ACCESS_DENIED',
      message: expect.stringContaining(`the credential file ${file} is empty`) as string,
    });
    writeFileSync(file, `${urlOf(one, 'word two')}\n`);
    expect(await Promise.all([1, 2, 3].map(async () => (await store.read('lease'))?.version))).toEqual(
      Array(3).fill(swapped.is === 'done' && swapped.version),
    );
    await run(`CREATE ROLE ${other} LOGIN SUPERUSER PASSWORD 'word three'; ALTER ROLE ${one} NOLOGIN`);
    await cutOff();
    await store.read('lease').catch(() => undefined);
    writeFileSync(file, urlOf(other, 'word three'));
    expect(await store.swap('state', undefined, bytes('y'))).toMatchObject({ is: 'done' });
  });

  test('has an answer at once after its connections were cut while it asked', async () => {
    const name = `cut_${String(++stacks)}`;
    const { run, urlOf } = running();
    await run(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'word'`);
    const store = storeOf(name, urlOf(name, 'word'), 'sluice', 20_000);
    await store.prepare();
    const messages = new Set<string>();
    const read = (): Promise<boolean> =>
      store.read('lease').then(
        () => true,
        (error: unknown) => !messages.add(String(error)),
      );
    // It asks again and again until it has been cut: in some rounds in the same moment.
    for (let round = 0; round < 40; round++) {
      await Promise.all([read(), read(), read(), read()]);
      const these = { areCut: false };
      const cut = run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${name}'`).then(() => {
        these.areCut = true;
      });
      for (let asked = 0; asked < 100_000 && !these.areCut; asked++) await read();
      await cut;
    }
    expect([...messages].filter((message) => message.includes('no response'))).toEqual([]);
  });

  test('never follows its file to another database', () => {
    const file = join(temporaryFiles({}), 'url');
    const { urlOf } = running();
    writeFileSync(file, urlOf('postgres', 'wrong', 'elsewhere'));
    const address = postgresAddress(urlOf('nobody', 'wrong'), 'SLUICE_STATE_URL');
    expect(renewedAddress({ ...address, file })).toBeUndefined();
    writeFileSync(file, 'no URL');
    expect(renewedAddress({ ...address, file })).toBeUndefined();
    expect(renewedAddress(address)).toBeUndefined();
    writeFileSync(file, urlOf('nobody', 'right'));
    expect(renewedAddress({ ...address, file })).toEqual({ ...address, file, password: 'right' });
  });

  test('shares its connections with those of other stacks, until the last of them is closed', async () => {
    const name = `shared_${String(++stacks)}`;
    await running().run(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'word'`);
    const connected = async (): Promise<unknown> => {
      const [row] = await running().run(`SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = '${name}'`);
      return row?.['n'];
    };
    const url = running().urlOf(name, 'word');
    const many = Array.from({ length: 40 }, (_, n) => storeOf(`of-many-${String(n)}`, url));
    await many[0]?.prepare();
    const swapped = await Promise.all(many.map((store) => store.swap('lease', undefined, bytes('x'))));
    expect(swapped.every(({ is }) => is === 'done')).toBe(true);
    expect(await connected()).toBe(4);
    const [last, ...others] = many;
    for (const store of others) await store.close();
    expect(await last?.list('')).toEqual(['lease']);
    await expect(others[0]?.list('')).rejects.toThrow();
    await last?.close();
    await until(async () => (await connected()) === 0);
  });

  test('refuses a write of a run whose lease is being taken over in that moment', async () => {
    const store = storeOf('fenced', running().url, 'sluice', 60_000);
    await store.prepare();
    await store.swap('lease', undefined, bytes('{"token":"old"}'));
    const commit = await holding('SELECT pg_advisory_lock(1)');
    // The take-over is not committed yet: a snapshot still shows the old token.
    const taking = running().run(
      `BEGIN; UPDATE sluice.sluice_objects SET bytes = '{"token":"new"}', version = 'v2' WHERE name = 'fenced/lease'; SELECT pg_advisory_xact_lock(1); COMMIT`,
    );
    await until(() => isWaitedFor('advisory'));
    // What only asks whether the lease is there would be written in this moment.
    const bare = `INSERT INTO sluice.sluice_objects (name, version, bytes) SELECT 'fenced/bare', 'v', '' WHERE EXISTS
      (SELECT 1 FROM sluice.sluice_objects WHERE name = 'fenced/lease' AND bytes = '{"token":"old"}') RETURNING 1`;
    expect(await running().run(bare)).toHaveLength(1);
    const late = store.swap('journal/1-1', undefined, bytes('late'), 'old');
    await until(() => isWaitedFor('transactionid'));
    await commit();
    expect(await late).toEqual({ is: 'conflict' });
    await taking;
    expect(await store.read('journal/1-1')).toBeUndefined();
    expect(await store.swap('journal/2-1', undefined, bytes('next'), 'new')).toMatchObject({ is: 'done' });
  });

  test('has nothing where there is no table, and makes it where many begin at once', async () => {
    const many = Array.from({ length: 10 }, () => storeOf('begins', running().url, 'fresh'));
    expect(await many[0]?.read('state')).toBeUndefined();
    expect(await many[0]?.list('')).toEqual([]);
    await Promise.all(many.map((store) => store.prepare()));
    const results = await Promise.all(many.map((store, n) => store.swap('state', undefined, bytes(`one ${n}`))));
    expect(results.filter(({ is }) => is === 'done')).toHaveLength(1);
  });

  test('does not list a name that somebody else wrote in another form', async () => {
    const store = storeOf('named');
    await store.prepare();
    await store.swap('runs/1', undefined, bytes('x'));
    await running().run(
      `INSERT INTO sluice.sluice_objects (name, version, bytes) VALUES ('named/runs/it''s', 'v', ''), ('named/runs/../x', 'v', '')`,
    );
    expect(await store.list('runs/')).toEqual(['runs/1']);
    await store.remove(await store.list('runs/'));
    expect(await store.read('runs/1')).toBeUndefined();
  });

  test('keeps stacks apart in one table', async () => {
    const [one, other] = [storeOf('aaaa'), storeOf('bbbb')];
    await one.prepare();
    await one.swap('state', undefined, bytes('one'));
    expect(await other.read('state')).toBeUndefined();
    expect(await other.list('')).toEqual([]);
    await other.remove(['state']);
    expect(await one.read('state')).toMatchObject({ bytes: bytes('one') });
  });

  test('reports what is wrong: credentials, database, a role that may not create, one that may only read', async () => {
    await running().run(`CREATE ROLE reader LOGIN PASSWORD 'r'`);
    const wrong = storeOf('x', running().urlOf('sluice', 'wrong'));
    await expect(wrong.read('state')).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
    await expect(wrong.swap('state', undefined, bytes('x'))).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
    const missing = storeOf('x', running().url.replace(/postgres$/, 'nowhere'));
    await expect(missing.read('state')).rejects.toMatchObject({ code: 'STORE_NOT_FOUND' });
    const reader = storeOf('x', running().urlOf('reader', 'r'), 'not_yet');
    await expect(reader.prepare()).rejects.toMatchObject({
      code: 'STORE_NOT_PREPARED',
      hint: expect.stringContaining('CREATE TABLE IF NOT EXISTS "not_yet".sluice_objects') as string,
    });
    const writer = storeOf('x');
    await writer.prepare();
    await writer.swap('state', undefined, bytes('x'));
    await running().run('GRANT USAGE ON SCHEMA sluice TO reader; GRANT SELECT ON sluice.sluice_objects TO reader');
    const only = storeOf('x', running().urlOf('reader', 'r'));
    await only.prepare();
    expect(await only.read('state')).toMatchObject({ bytes: bytes('x') });
    await expect(only.swap('state', undefined, bytes('y'))).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
  });

  test.each([
    ['synchronous_commit = off', 'STORE_NOT_DURABLE'],
    ['synchronous_commit = local', 'STORE_NOT_DURABLE'],
    ['default_transaction_read_only = on', 'STORE_READ_ONLY'],
  ])('is refused with %s', async (setting, code) => {
    await storeOf('x').prepare();
    const role = `role_${++stacks}`;
    await running().run(
      `CREATE ROLE ${role} LOGIN PASSWORD 'r'; ALTER ROLE ${role} SET ${setting}; GRANT USAGE ON SCHEMA sluice TO ${role}`,
    );
    await expect(storeOf('x', running().urlOf(role, 'r')).prepare()).rejects.toMatchObject({ code });
  });

  test('has its whole deadline again after its process was stopped while it connected', async () => {
    const network = await stoppedNetwork(running().port);
    const url = databaseAt(running(), network.port).env['SLUICE_STATE_URL'];
    const store = storeOf('stopped', url, 'sluice', 2_000);
    const read = store.read('state');
    await network.stopThroughAnswer(3_100);
    expect(await read).toBeUndefined();
  });

  test('asks to try a write again where the server is read-only for a moment, as after a failover', async () => {
    const role = `moment_${++stacks}`;
    const { run, urlOf } = running();
    await run(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'r'`);
    const store = storeOf(role, urlOf(role, 'r'));
    await store.prepare();
    const become = async (setting: string): Promise<void> => {
      await run(`ALTER ROLE ${role} ${setting}`);
      await run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '${role}'`);
      await store.read('state');
    };
    await become('SET default_transaction_read_only = on');
    expect(await store.swap('state', undefined, bytes('one'))).toMatchObject({
      is: 'again',
      cause: { code: 'STORE_READ_ONLY' },
    });
    await become('RESET default_transaction_read_only');
    expect(await store.swap('state', undefined, bytes('one'))).toMatchObject({ is: 'done' });
  });

  test('lets the operations of other stacks pass while rows are locked for longer than an operation may take', async () => {
    const locked = [1, 2, 3, 4].map((n) => storeOf(`row-${n}`, running().url, 'sluice', 8_000));
    const versions: string[] = [];
    for (const store of locked) {
      await store.prepare();
      const first = await store.swap('lease', undefined, bytes('one'));
      versions.push(first.is === 'done' ? first.version : '');
    }
    const end = await holding(`BEGIN; SELECT 1 FROM sluice.sluice_objects WHERE name LIKE 'row-%' FOR UPDATE`);
    const waiting = locked.map((store, n) => store.swap('lease', versions[n], bytes('two')));
    // It has an answer before their deadline, although they have all connections.
    expect(await storeOf('free', running().url, 'sluice', 6_000).read('lease')).toBeUndefined();
    await Promise.all(waiting);
    await end();
  });

  test('finds the lease in a database that cannot write the name of its holder', async () => {
    await running().run(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
    const store = storeOf('named', running().url.replace(/postgres$/, 'latin'));
    await store.prepare();
    await store.swap('lease', undefined, bytes('{"token":"mine","owner":"\u0141ukasz"}'));
    expect(await store.swap('state', undefined, bytes('x'), 'mine')).toMatchObject({ is: 'done' });
    expect(await store.swap('journal/1-1', undefined, bytes('x'), 'other')).toEqual({ is: 'conflict' });
  });

  test('waits for no lock longer than its deadline, and what it gave up is not carried out later', async () => {
    const store = storeOf('locked');
    await store.prepare();
    const first = await store.swap('state', undefined, bytes('one'));
    const version = first.is === 'done' ? first.version : '';
    const end = await holding(`BEGIN; SELECT 1 FROM sluice.sluice_objects WHERE name = 'locked/state' FOR UPDATE`);
    const hasty = storeOf('locked', running().url, 'sluice', 300);
    expect(await hasty.swap('state', version, bytes('two'))).toMatchObject({ is: 'unknown' });
    await end();
    expect(await store.read('state')).toMatchObject({ bytes: bytes('one') });
    // Nothing that still waits for the row comes first.
    expect(await store.swap('state', version, bytes('three'))).toMatchObject({ is: 'done' });
  });
});

describe('the URL of a database', () => {
  test.each([
    ['postgresql://u:p@db.example.com/app', 'verified'],
    ['postgresql://u:p@db.example.com/app?sslmode=verify-full', 'verified'],
    ['postgresql://u:p@db.example.com/app?sslmode=require', 'unverified'],
    ['postgresql://u:p@db.example.com/app?sslmode=disable', 'none'],
    ['postgres://u:p@127.0.0.1:6432/app', 'none'],
    ['postgres://u:p@[::1]/app', 'none'],
  ])('%s has TLS that is %s', (url, encryption) => {
    expect(postgresAddress(url, 'SLUICE_STATE_URL').encryption).toBe(encryption);
  });

  test.each([
    'https://hooks.example.com/secret-word',
    'postgres://u:secret-word@/app',
    'postgres://u:secret-word@host/',
    'postgres://host/app',
    'postgres://u:secret-word@host/app?sslmode=prefer',
    'postgres://u:secret-word@host/app?options=-c%20statement_timeout=0',
    'secret-word',
    'postgres://u:secret-word@host:0/app',
    'postgres://u:secret-word@one,two/app',
    'postgres://u:secret-word@%2Fvar%2Frun%2Fpostgresql/app',
    'postgres://u:secret-word@host/app?sslmode=require&sslmode=verify-full',
    'postgres://u:secret-word@host/app?sslmode=toString',
  ])('%s is refused without a word of it', (url) => {
    const refuse = (): unknown => postgresAddress(url, 'SLUICE_STATE_URL');
    expect(refuse).toThrow('SLUICE_STATE_URL');
    expect(refuse).not.toThrow('secret-word');
  });
});
