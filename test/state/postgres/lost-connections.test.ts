/*
 * Connections that end when nobody expects it: while they are made, while nobody uses them, and with an operation under way.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { postgresAddress, type PostgresAddress } from '../../../src/state/postgres/postgres-address.ts';
import { postgresStore } from '../../../src/state/postgres/postgres-store.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { startPostgres, withoutPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { until } from '../../support/until.ts';

const bytes = Buffer.from('x');
let roles = 0;
let server: PostgresServer | undefined;

beforeAll(async () => {
  if (withoutPostgres === '') server = await startPostgres();
});

afterAll(() => server?.stop());

function running(): PostgresServer {
  if (server === undefined) throw new Error('PostgreSQL has not started');
  return server;
}

function storeAt(address: PostgresAddress, connections: number, deadlineMs = 20_000): RemoteStore {
  const store = postgresStore({ address, schema: 'sluice', prefix: address.user, deadlineMs, connections });
  onTestFinished(() => store.close());
  return store;
}

/** A server in the place of the database; its port, and how many have connected. */
async function serverThat(takes: (socket: Socket, nth: number) => void) {
  const sockets = new Set<Socket>();
  const seen = { connections: 0 };
  const listening = createServer({ allowHalfOpen: true }, (socket) => {
    seen.connections++;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    takes(socket, seen.connections);
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listening.close();
  });
  return { port: (listening.address() as AddressInfo).port, seen };
}

describe('a server or a pooler that closes each connection', () => {
  const waysToClose: readonly [string, (socket: Socket) => void][] = [
    ['at once', (socket) => socket.end()],
    ['at once, with a reset', (socket) => socket.resetAndDestroy()],
    ['once it has read the first message', (socket) => socket.once('data', () => socket.end())],
    ['once it has read the first message, with a reset', (socket) => socket.once('data', () => socket.destroy())],
  ];

  test.each(
    waysToClose.flatMap(([when, close]) => (['none', 'verified'] as const).map((tls) => [when, tls, close] as const)),
  )('%s is noticed by the first read (TLS: %s)', async (_, encryption, close) => {
    const { port, seen } = await serverThat(close);
    const address = { host: '127.0.0.1', port, database: 'company', user: 'sluice', password: 'word', encryption };
    const store = storeAt(address, 4);
    await expect(store.read('lease')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.not.stringMatching(/no response|terminated|TypeError/) as string,
    });
    expect(seen.connections).toBe(1);
    expect(await store.swap('lease', undefined, bytes)).toMatchObject({ is: 'unknown' });
    expect(seen.connections).toBe(2);
  });
});

describe.skipIf(withoutPostgres !== '')(`the connections of a store to PostgreSQL${withoutPostgres}`, () => {
  /** A role of its own, by which its connections are told from others. */
  async function withRole(connections: number, deadlineMs?: number) {
    const { run, urlOf } = running();
    const name = `lost_${String(++roles)}`;
    await run(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'word'`);
    const address = postgresAddress(urlOf(name, 'word'), 'SLUICE_STATE_URL');
    const store = storeAt(address, connections, deadlineMs);
    await store.prepare();
    const connected = async (): Promise<readonly unknown[]> =>
      (await run(`SELECT pid FROM pg_stat_activity WHERE usename = '${name}' ORDER BY pid`)).map(({ pid }) => pid);
    const cut = (): Promise<unknown> =>
      run(`SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '${name}'`);
    return { name, address, store, connected, cut };
  }

  test('are made anew where they were cut while nobody used them', async () => {
    const { store, connected, cut } = await withRole(4);
    await Promise.all([1, 2, 3, 4].map(() => store.read('lease')));
    expect((await connected()).length).toBeGreaterThan(1);
    for (const operation of [() => store.read('state'), () => store.swap('state', undefined, bytes)]) {
      await cut();
      await until(async () => (await connected()).length === 0);
      // What says so has arrived once another answer has that was sent later.
      await running().run('SELECT 1');
      await expect(operation()).resolves.not.toMatchObject({ is: 'unknown' });
    }
  });

  test('stay as they are where another does not answer in time', async () => {
    const { address } = await withRole(1);
    const fronts: Socket[] = [];
    let isNextLost = false;
    const { port, seen } = await serverThat((front) => {
      fronts.push(front);
      const back = connect(running().port, '127.0.0.1').on('error', () => undefined);
      let isLost = false;
      back.on('data', (chunk) => front.write(chunk)).on('close', () => front.destroy());
      front.on('close', () => back.destroy()).on('end', () => back.end());
      front.on('data', (chunk) => {
        isLost ||= isNextLost;
        isNextLost = false;
        if (!isLost) back.write(chunk);
      });
    });
    const store = storeAt({ ...address, port }, 2, 1_000);
    await Promise.all([store.read('lease'), store.read('state')]);
    expect(seen.connections).toBe(2);
    isNextLost = true;
    const late = expect(store.read('lease')).rejects.toThrow('no response within 1000 ms');
    await until(() => !isNextLost);
    expect(await store.read('state')).toBeUndefined();
    await late;
    await until(() => fronts.filter(({ readableEnded }) => !readableEnded).length === 1);
    expect(await store.read('state')).toBeUndefined();
    expect(seen.connections).toBe(2);
    // There may be as many as before.
    await Promise.all([store.read('lease'), store.read('state')]);
    expect(seen.connections).toBe(3);
  });

  /** A network that breaks off what comes over a connection once it has served one operation. */
  async function throughBreaking(address: PostgresAddress) {
    const sent: string[] = [];
    const { port, seen } = await serverThat((front, nth) => {
      const back = connect(running().port, '127.0.0.1').on('error', () => undefined);
      let operations = 0;
      back.on('data', (chunk) => front.write(chunk)).on('close', () => front.destroy());
      front.on('close', () => back.destroy());
      front.on('data', (chunk) => {
        const text = chunk.toString('latin1');
        if (text.startsWith('Q')) sent.push(text);
        if (nth === 1 && text.startsWith('Q') && ++operations > 1) front.destroy();
        else back.write(chunk);
      });
    });
    return { store: storeAt({ ...address, port }, 1), sent, seen };
  }

  test('that break off when a read is sent over them again cost no read', async () => {
    const { address } = await withRole(1);
    const { store, seen } = await throughBreaking(address);
    expect(await store.read('lease')).toBeUndefined();
    expect(await store.read('lease')).toBeUndefined();
    expect(seen.connections).toBe(2);
  });

  test('that break off when a write is sent over them have it sent no second time', async () => {
    for (const write of [
      (store: RemoteStore) => store.swap('lease', undefined, bytes),
      (store: RemoteStore) => store.remove(['lease']).catch(() => ({ is: 'unknown' })),
    ]) {
      const { address } = await withRole(1);
      const { store, sent } = await throughBreaking(address);
      await store.read('lease');
      expect(await write(store)).toMatchObject({ is: 'unknown' });
      expect(sent).toHaveLength(2);
      expect(await store.list('')).toEqual([]);
    }
  });
});
