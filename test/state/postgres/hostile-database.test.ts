/*
 * A server in the place of the database that asks for the password in clear, and repeats it wherever it can.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openStack } from '../../../src/index.ts';
import { company, directory, sluice, stack, stackFile } from '../../cli/terminal.ts';
import { privateAuthority, type Identity } from '../../support/private-authority.ts';

const password = 'canary "of" the database';

const file = `${stackFile}state: {postgres: {url: {from_env: SLUICE_STATE_URL}}, lease: {store_deadline: 1s}}\n`;

/** Answers each password with an error that contains it. */
async function hostileDatabase(sqlState: string, words: (password: string) => string): Promise<string> {
  const server = createServer((socket) => converse(socket, sqlState, words));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return `postgresql://sluice:${encodeURIComponent(password)}@127.0.0.1:${String(port)}/company`;
}

function converse(socket: Socket, sqlState: string, words: (password: string) => string): void {
  let isStarted = false;
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    if (!isStarted) {
      isStarted = true;
      socket.write(message('R', Buffer.from([0, 0, 0, 3])));
      return;
    }
    const given = bytes.subarray(5, bytes.length - 1).toString();
    const fields = `SFATAL\0VFATAL\0C${sqlState}\0M${words(given)}\0D${words(given)}\0H${words(given)}\0\0`;
    socket.end(message('E', Buffer.from(fields)));
  });
}

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}

describe('a database that repeats the password', () => {
  test.each([
    ['28P01', 'as it is', (text: string) => `password "${text}" is wrong`],
    ['42501', 'as it is', (text: string) => `no access with ${text}`],
    ['57P03', 'as it is', (text: string) => `starting up, ${text}`],
    [
      '3D000',
      'in the URL',
      (text: string) => `postgresql://sluice:${encodeURIComponent(text)}@db/company does not exist`,
    ],
    ['XX000', 'in JSON', (text: string) => `failed: ${JSON.stringify({ text })}`],
    ['XX000', 'at length', (text: string) => `${'x'.repeat(290)}${text}`],
  ])('with %s, %s, has it masked', async (sqlState, _, words) => {
    const url = await hostileDatabase(sqlState, words);
    const dir = await stack(company, file);
    const env = { SLUICE_API_KEY: 'key', SLUICE_STATE_URL: url };
    for (const line of ['plan', 'apply --auto-approve --format json', 'state probe', 'state lock --log-level debug']) {
      const { code, out, err } = await sluice(dir, line, { env });
      expect(code).toBeGreaterThan(0);
      expect(out + err).toContain('the state store');
      expect(out + err).not.toMatch(/canary|the%20database/);
    }
    const opened = openStack({ dir, env, writes: true });
    const error = await opened.catch((problem: unknown) => problem);
    expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary|the%20database/);
  });
});

test('a URL without a password sends none of the environment either', async () => {
  const url = await hostileDatabase('28P01', (text) => `password "${text}" is wrong`);
  const dir = await stack(company, file);
  vi.stubEnv('PGPASSWORD', 'canary of another database');
  onTestFinished(() => void vi.unstubAllEnvs());
  const env = { SLUICE_API_KEY: 'key', SLUICE_STATE_URL: url.replace(/:[^:/]*@/, '@') };
  expect((await sluice(dir, 'plan', { env })).err).toContain('password "" is wrong');
});

const [authority, other] = [privateAuthority(), privateAuthority('Stranger')];
const unknown = other.identity('localhost', '127.0.0.1');

/** A server that has this certificate, or none; notes what it is sent once TLS is established. */
async function serverWith(identity: Identity | undefined) {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      if (request.length > 8) received.push(request.toString());
      socket.write(identity === undefined ? 'N' : 'S');
      if (identity === undefined) socket.on('data', (bytes) => received.push(bytes.toString()));
      else {
        const secure = new TLSSocket(socket, { isServer: true, ...identity });
        secure.on('error', () => undefined);
        secure.on('data', (bytes: Buffer) => {
          received.push(bytes.toString());
          secure.destroy();
        });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const urlFor = (host: string): string =>
    `postgresql://canary:canary@${host}:${String(port)}/canary?sslmode=verify-full`;
  return { received, urlFor };
}

describe('a verified connection to a database', () => {
  test.each<[string, Identity | undefined, host: string]>([
    ['a certificate of an unknown authority', unknown, 'localhost'],
    ['a certificate for another name', authority.identity('db.example.com'), 'localhost'],
    ['a certificate for this machine by name, not by address', authority.identity('localhost'), '127.0.0.1'],
    ['a certificate for another address', authority.identity('127.0.0.2'), '127.0.0.1'],
    ['no TLS', undefined, 'localhost'],
  ])('sends nothing to a server with %s', async (_, identity, host) => {
    const { received, urlFor } = await serverWith(identity);
    const dir = await stack(company, file);
    const trusted = await directory({ 'ca.pem': authority.pem });
    const env = { SLUICE_API_KEY: 'key', SLUICE_STATE_URL: urlFor(host), SLUICE_CA_FILE: join(trusted, 'ca.pem') };
    const { code, err } = await sluice(dir, 'plan', { env });
    expect(code).toBe(1);
    expect(received.join()).not.toContain('canary');
    expect(err).toContain('is unavailable');
    const isUnknown = identity === unknown;
    expect([err.includes('SLUICE_CA_FILE'), err.includes('once the store is available')]).toEqual([
      isUnknown,
      !isUnknown,
    ]);
  });

  test('is made where NODE_EXTRA_CA_CERTS names the authority, and SLUICE_CA_FILE another one', async () => {
    const { received, urlFor } = await serverWith(authority.identity('localhost'));
    const dir = await stack(company, file);
    const trusted = await directory({ 'ca.pem': authority.pem, 'other.pem': other.pem });
    await sluice(dir, 'plan', {
      env: {
        SLUICE_API_KEY: 'key',
        SLUICE_STATE_URL: urlFor('localhost'),
        SLUICE_CA_FILE: join(trusted, 'other.pem'),
        NODE_EXTRA_CA_CERTS: join(trusted, 'ca.pem'),
      },
    });
    expect(received.join()).toContain('user\0canary\0');
  });

  test.each([
    ['does not exist', {}],
    ['contains no certificate in PEM format', { 'ca.pem': 'nothing' }],
  ] as const)('is not made where the file of authorities %s', async (why, files) => {
    const { received, urlFor } = await serverWith(authority.identity('localhost'));
    const dir = await stack(company, file);
    const env = { SLUICE_STATE_URL: urlFor('localhost'), SLUICE_CA_FILE: join(await directory(files), 'ca.pem') };
    const { code, err } = await sluice(dir, 'state lock', { env });
    expect([code, err]).toEqual([8, expect.stringContaining(`SLUICE_CA_FILE: the file ${why}`)]);
    expect(received).toEqual([]);
  });

  test.each(['localhost', '127.0.0.1'])('is made to %s where its certificate allows it', async (host) => {
    const { received, urlFor } = await serverWith(authority.identity(host));
    const dir = await stack(company, file);
    const trusted = await directory({ 'ca.pem': authority.pem });
    const env = { SLUICE_API_KEY: 'key', SLUICE_STATE_URL: urlFor(host), SLUICE_CA_FILE: join(trusted, 'ca.pem') };
    await sluice(dir, 'plan', { env });
    expect(received.join()).toContain('user\0canary\0');
  });
});
