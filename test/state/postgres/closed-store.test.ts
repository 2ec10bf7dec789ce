import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { postgresStore } from '../../../src/state/postgres/postgres-store.ts';
import { until } from '../../support/until.ts';

test.each([
  ['before its deadline', 60_000],
  ['close to its deadline', 300],
])('a store that is closed while the database does not answer, %s, connects no more', async (_, deadlineMs) => {
  const sockets = new Set<Socket>();
  let connected = 0;
  const server = createServer((socket) => {
    connected += 1;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const store = postgresStore({
    address: { host: '127.0.0.1', port, database: 'company', user: 'sluice', password: '', encryption: 'none' },
    schema: 'sluice',
    prefix: 'stack',
    deadlineMs,
    connections: 1,
  });
  const late = expect(store.read('lease')).rejects.toThrow('the state store');
  await until(() => connected === 1);
  await store.close();
  await late;
  await expect(store.read('lease')).rejects.toThrow();
  await until(() => sockets.size === 0);
  expect(connected).toBe(1);
});
