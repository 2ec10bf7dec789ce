/*
 * What is said when a connection is made: by sluice, and by servers that are configured otherwise than most.
 */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { postgresAddress } from '../../../src/state/postgres/postgres-address.ts';
import { postgresStore } from '../../../src/state/postgres/postgres-store.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { startPostgres, withoutPostgres, type PostgresServer } from '../../support/postgres-server.ts';
import { errorEndings } from '../../../src/state/postgres/postgres-errors.ts';

function storeAt(url: string): RemoteStore {
  const address = postgresAddress(url, 'SLUICE_STATE_URL');
  const store = postgresStore({ address, schema: 'sluice', prefix: 'login', deadlineMs: 5_000, connections: 1 });
  onTestFinished(() => store.close());
  return store;
}

/** A server in the place of the database that gives one answer to the first message, and the messages it has received. */
async function serverThatAnswers(answer: Buffer) {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', (bytes) => {
      received.push(bytes.subarray(8).toString('latin1'));
      socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `postgresql://sluice:word@127.0.0.1:${String(port)}/company`, received };
}

const methods = { kerberos: 2, gss: 7, sspi: 9 };

describe('a store in a database', () => {
  test('says who asks for which database, and nothing of the PG… variables', async () => {
    for (const [name, value] of Object.entries({
      PGHOST: 'db.invalid',
      PGPORT: '1',
      PGUSER: 'canary',
      PGPASSWORD: 'canary',
      PGDATABASE: 'canary',
      PGOPTIONS: '-c canary=1',
      PGAPPNAME: 'canary',
      PGREPLICATION: 'canary',
      PGSSLMODE: 'require',
      PGSSLNEGOTIATION: 'direct',
      PGCLIENT_ENCODING: 'LATIN1',
      PGBINARY: 'true',
      NODE_PG_FORCE_NATIVE: '1',
    }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { url, received } = await serverThatAnswers(Buffer.from('E\0\0\0\x1cSFATAL\0C57P03\0Mnot yet\0\0', 'latin1'));
    await expect(storeAt(url).read('lease')).rejects.toThrow('not yet');
    const said = [
      ['user', 'sluice'],
      ['database', 'company'],
      ['application_name', 'sluice'],
      ['client_encoding', 'UTF8'],
    ];
    expect(received).toEqual([`${said.flat().join('\0')}\0\0`]);
  });

  test.each(Object.entries(methods))('says so where the server asks for %s', async (_, method) => {
    const { url } = await serverThatAnswers(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, method]));
    await expect(storeAt(url).read('lease')).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining(`authenticationOk message type ${String(method)}`) as string,
    });
  });

  test.each([
    ['an error without an end', 'E\0\0\0\x08SERR'],
    ['an error without its last byte', 'E\0\0\0\x09SERR\0'],
    ['a notice without fields', 'N\0\0\0\x04'],
    ['a message without a length', 'S\0\0\0\0'],
    ['more columns than there are', 'T\0\0\0\x06\x7f\xff'],
  ])('says so where the server sends %s', async (_, text) => {
    const { url } = await serverThatAnswers(Buffer.from(text, 'latin1'));
    await expect(storeAt(url).read('lease')).rejects.toThrow('the response of the server cannot be read');
  });

  test('understands errors and notices however they arrive', () => {
    const messages = Buffer.from('N\0\0\0\x0bSNOTE\0\0R\0\0\0\x08\0\0\0\0E\0\0\0\x0bSERR!\0\0Z\0\0\0\x05I', 'latin1');
    for (let size = 1; size <= messages.length; size++) {
      const check = errorEndings();
      for (let at = 0; at < messages.length; at += size) check(messages.subarray(at, at + size));
    }
  });

  test.each([
    ['an error without its end', 'E\0\0\0\x0bSERR!!\0', 'has no end'],
    ['an error of one zero byte', 'E\0\0\0\x05\0', 'has no end'],
    ['a notice without its end', 'N\0\0\0\x0bSNOTE\0!', 'has no end'],
    ['a message without a length', 'R\0\0\0\x03', 'has no length'],
  ])('ends at %s, however it arrives, and not before', (_, last, why) => {
    const before = Buffer.from('R\0\0\0\x08\0\0\0\0N\0\0\0\x0bSNOTE\0\0Z\0\0\0\x05I', 'latin1');
    const messages = Buffer.concat([before, Buffer.from(last, 'latin1')]);
    for (let size = 1; size <= messages.length; size++) {
      const check = errorEndings();
      const parts = Array.from({ length: Math.ceil(messages.length / size) }, (_part, n) =>
        messages.subarray(n * size, (n + 1) * size),
      );
      for (const part of parts.splice(0, Math.floor(before.length / size))) check(part);
      expect(() => parts.forEach(check)).toThrow(why);
    }
  });

  test('says so where the server is none of PostgreSQL', async () => {
    const { url } = await serverThatAnswers(Buffer.from([0x4a, 0, 0, 0, 0x0a, ...Buffer.from('8.0.36'), 0, 0]));
    await expect(storeAt(url).read('lease')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});

describe.skipIf(withoutPostgres !== '')(`a role of PostgreSQL${withoutPostgres}`, () => {
  let server: PostgresServer;
  let roles = 0;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(() => server.stop());

  async function role(password: string): Promise<string> {
    const name = `login_${String(++roles)}`;
    await server.run(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD '${password}'`);
    return name;
  }

  test('that has a password is refused without one', async () => {
    const store = storeAt(server.urlOf(await role('word'), ''));
    await expect(store.read('lease')).rejects.toMatchObject({ code: 'STORE_ACCESS_DENIED' });
    expect(await store.swap('lease', undefined, Buffer.from('x')).catch((error: unknown) => error)).toMatchObject({
      code: 'STORE_ACCESS_DENIED',
    });
  });

  test('may have a password that is hashed 600,000 times', async () => {
    const store = storeAt(server.urlOf(await role(verifier('word', 600_000)), 'word'));
    expect(await store.read('lease')).toBeUndefined();
  });

  test('may have another form of bytes than most', async () => {
    const name = await role('word');
    await server.run(`ALTER ROLE ${name} SET bytea_output = 'escape'`);
    const store = storeAt(server.urlOf(name, 'word'));
    await store.prepare();
    const bytes = Buffer.from([0, 1, 39, 92, 127, 128, 255]);
    expect(await store.swap('state', undefined, bytes)).toMatchObject({ is: 'done' });
    expect(await store.read('state')).toMatchObject({ bytes });
  });
});

/** What PostgreSQL keeps of a password. */
function verifier(password: string, iterations: number): string {
  const salt = Buffer.from('0123456789abcdef');
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
