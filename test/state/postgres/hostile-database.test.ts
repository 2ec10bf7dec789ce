/*
 * A server in the place of the database that asks for the password in clear, and repeats it wherever it can.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStack } from '../../../src/index.ts';
import { company, sluice, stack, stackFile } from '../../cli/terminal.ts';

const password = 'canary "of" the database';

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
    const dir = await stack(company, `${stackFile}state: {postgres: {url: {from_env: SLUICE_STATE_URL}}}\n`);
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
