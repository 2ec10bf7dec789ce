/*
 * A service in the place of the bucket that repeats what it was sent.
 */
import { createServer, type AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { openStack } from '../../../src/index.ts';
import { company, sluice, stack, stackFile } from '../../cli/terminal.ts';

test.each([301, 400, 403, 409, 500])('credentials that a service repeats with %i are masked', async (status) => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      const token = /x-amz-security-token: (.*)\r/i.exec(request.toString())?.[1] ?? '';
      const body = `<Error><Code>${token}</Code><Message>the token ${token} and canary-of-the-key</Message></Error>`;
      socket.end(`HTTP/1.1 ${String(status)} No\r\ncontent-length: ${String(body.length)}\r\n\r\n${body}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const file = `${stackFile}state: {s3: {bucket: company, region: eu-central-1, endpoint: "${endpoint}"}, lease: {store_deadline: 1s}}\n`;
  const dir = await stack(company, file);
  const env = {
    SLUICE_API_KEY: 'key',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'canary-of-the-key',
    AWS_SESSION_TOKEN: 'canary-of-the-session',
  };
  const { code, out, err } = await sluice(dir, 'plan --log-level debug', { env });
  expect(code).toBeGreaterThan(0);
  expect(out + err).toContain('the state store');
  expect(out + err).not.toContain('canary');
  const error = await openStack({ dir, env, writes: true }).catch((problem: unknown) => problem);
  expect(inspect(error, { depth: null })).not.toContain('canary');
});
