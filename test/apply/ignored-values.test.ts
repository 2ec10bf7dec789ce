/*
 * State keeps what was sent. A value of the manifest under `lifecycle.ignore` is not sent by an update: were it recorded
 * as applied, a rotated secret would never be delivered, and a later plan would report drift that nobody made.
 */
import { describe, expect, test } from 'vitest';
import { harness } from '../support/harness.ts';
import { signInRoute } from '../support/sign-in-route.ts';
import { storedSecrets } from '../support/stored-secrets.ts';

const address = (description: string, ignore = ''): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {ignore: [${ignore}]}
spec: {region: eu, description: ${description}}
`;

describe.each(['masked', 'empty'] as const)('a secret that reads %s', (secrets) => {
  test('and was changed while it was ignored is sent once it is no longer ignored', async () => {
    const walk = harness({ service: { secrets } });
    await walk.converge(signInRoute({ secret: 'first-secret-4711' }));
    await walk.converge(signInRoute({ secret: 'second-secret-4712', ignore: ['/oidc/client_secret'] }));
    expect(storedSecrets(walk)).toEqual(['first-secret-4711']);
    const { plan } = await walk.converge(signInRoute({ secret: 'second-secret-4712' }));
    expect(plan.changes.flatMap(({ fields }) => fields)).toMatchObject([{ reason: 'changed', secret: true }]);
    expect(storedSecrets(walk)).toEqual(['second-secret-4712']);
  });

  test('and is ignored counts as sent where its module had to be sent with it', async () => {
    const walk = harness({ service: { secrets } });
    await walk.converge(signInRoute({ secret: 'first-secret-4711' }));
    await walk.converge(
      signInRoute({ secret: 'second-secret-4712', ignore: ['/oidc/client_secret'], client: 'other' }),
    );
    expect(storedSecrets(walk)).toEqual(['second-secret-4712']);
    expect((await walk.converge(signInRoute({ secret: 'second-secret-4712', client: 'other' }))).plan.steps).toEqual(
      [],
    );
  });
});

test('a value that was changed while it was ignored is no drift afterwards', async () => {
  const walk = harness();
  await walk.converge({ 'a.yaml': address('one', '/description') });
  await walk.converge({ 'a.yaml': address('two', '/description') });
  const { plan } = await walk.converge({ 'a.yaml': address('three') });
  expect(plan.changes.flatMap(({ fields }) => fields)).toMatchObject([
    { before: 'one', after: 'three', reason: 'changed' },
  ]);
});

test('a value that only others have set stays theirs once it is no longer ignored and no longer in the manifest', async () => {
  const edge = (more: string, ignore = '') => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
lifecycle: {ignore: [${ignore}]}
spec: {hostports: [shop.example.com:443], tls_termination: {${more}}}
`;
  const walk = harness();
  await walk.converge({ 'a.yaml': edge('') });
  const { id = '' } = walk.state()?.entries['HTTPSEdge/shop'] ?? {};
  await walk.emulator.handle({
    method: 'PATCH',
    path: `/edges/https/${id}`,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ tls_termination: { min_version: '1.3' } }),
    actor: 'somebody',
  });
  await walk.converge({ 'a.yaml': edge('min_version: "1.2"', '/tls_termination/min_version') });
  const { plan } = await walk.converge({ 'a.yaml': edge('') });
  expect(plan.steps).toEqual([]);
});

test('a creation sends what is ignored, and records it', async () => {
  const walk = harness();
  await walk.converge({ 'a.yaml': address('one', '/description') });
  expect(walk.state()?.entries['ReservedAddr/mqtt']?.spec['description']).toBe('one');
});

test('a value that sluice has set, and that was taken out of the manifest while it was ignored, is reset once it is no longer ignored', async () => {
  const edge = (spec: string, ignore = '') => ({
    'a.yaml': `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {ignore: [${ignore}]}
spec: {region: eu${spec}}
`,
  });
  const walk = harness();
  await walk.converge(edge(', description: one'));
  await walk.converge(edge('', '/description'));
  expect(walk.state()?.entries['ReservedAddr/mqtt']?.spec['description']).toBe('one');
  const { plan } = await walk.converge(edge(''));
  expect(plan.changes.flatMap(({ fields }) => fields)).toMatchObject([{ before: 'one', reason: 'changed' }]);
});

test('an entry of a map that sluice has set is remembered while it is ignored, also where the manifest has no map', async () => {
  const route = (headers: string, ignore = '') => ({
    'a.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      lifecycle: {ignore: [${ignore}]}
      backend: {backend_id: bkdhr_1}
      request_headers: {${headers}}
`,
  });
  const walk = harness();
  await walk.converge(route('add: {X-A: one}'));
  await walk.converge(route('', '/request_headers/add/x-a'));
  const { plan } = await walk.converge(route(''));
  expect(plan.changes.flatMap(({ fields }) => fields)).toMatchObject([{ before: { 'x-a': 'one' }, reason: 'changed' }]);
});
