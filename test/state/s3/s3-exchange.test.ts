import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { s3Address } from '../../../src/state/s3/s3-address.ts';
import { s3Connections } from '../../../src/state/s3/s3-exchange.ts';
import { privateAuthority } from '../../support/private-authority.ts';
import { s3Bucket, s3Keys } from '../../support/s3-services.ts';

test('a request is signed with the token of a session, where there is one', async () => {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  for (const session of [{ sessionToken: 'token-of-session' }, {}]) {
    const location = { bucket: s3Bucket, prefix: '', region: 'us-east-1', endpoint };
    const connections = s3Connections(s3Address(location, 'shop', { ...s3Keys, ...session }), { deadlineMs: 5_000 });
    const answer = await connections.send({ method: 'GET', target: '/bucket/state' });
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, 'answer']);
    connections.close();
  }
  expect(seen.map((headers) => headers['x-amz-security-token'])).toEqual(['token-of-session', undefined]);
  expect(seen.map(({ authorization = '' }) => authorization.includes('x-amz-security-token'))).toEqual([true, false]);
});

test('a certificate is verified whatever NODE_TLS_REJECT_UNAUTHORIZED is: the thread of the heartbeats knows no variable', async () => {
  let requests = 0;
  const server = createTlsServer(privateAuthority().identity('localhost'), (_, response) => {
    requests++;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const endpoint = `https://localhost:${String((server.address() as AddressInfo).port)}`;
  const location = { bucket: s3Bucket, prefix: '', region: 'us-east-1', endpoint };
  const connections = s3Connections(s3Address(location, 'shop', s3Keys), { deadlineMs: 5_000 });
  onTestFinished(connections.close);
  await expect(connections.send({ method: 'GET', target: '/bucket/state' })).rejects.toThrow(/certificate/);
  expect(requests).toBe(0);
});
