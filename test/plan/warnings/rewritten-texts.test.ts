import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../../../src/emulator/answer.ts';
import { harness, type Harness } from '../../support/harness.ts';

const pem = (file: string) => readFileSync(new URL(`../../generators/data/${file}`, import.meta.url), 'utf8');

const authority = (description: string) => ({
  'ca.yaml': `apiVersion: sluice/v1
kind: CertificateAuthority
metadata: {name: partners}
spec:
  description: ${description}
  ca_pem: |
${pem('partners-ca.pem').replaceAll(/^/gm, '    ')}`,
});

const dashed = (answer: Answer): Answer => ({
  ...answer,
  body: answer.body.replaceAll(/"description":"[^"]*"/g, (text) => text.replace(' - ', ' \u2013 ')),
});

/** A service that does to descriptions what no service is known to do. */
function dashing(): Harness {
  const walk = harness();
  walk.emulator.intercept(async (_, next) => dashed(await next()));
  return walk;
}

test('a text that the service showed otherwise when it was written needs no change, again and again', async () => {
  const walk = dashing();
  await walk.converge(authority('Partners - test'));
  await walk.converge(authority('Partners - live'));
  expect((await walk.plan(authority('Partners - live'))).plan.steps).toEqual([]);
});

test('a change of the manifest is a change, and one by somebody else is drift', async () => {
  const walk = dashing();
  await walk.converge(authority('Partners - test'));
  expect((await walk.plan(authority('Partners - live'))).plan.changes).toMatchObject([
    { action: 'update', fields: [{ path: ['description'], reason: 'changed' }] },
  ]);
  const [{ id } = { id: '' }] = walk.emulator.snapshot().resources;
  await walk.emulator.handle({
    method: 'PATCH',
    path: `/certificate_authorities/${id}`,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'Somebody' }),
  });
  expect((await walk.plan(authority('Partners - test'))).plan.changes).toMatchObject([
    { action: 'update', fields: [{ path: ['description'], reason: 'drifted' }] },
  ]);
});

test('without state it is a difference, and is sent once', async () => {
  const walk = dashing();
  await walk.converge(authority('Partners - test'));
  walk.loseState();
  expect((await walk.plan(authority('Partners - test'))).plan.changes).toMatchObject([{ action: 'update' }]);
  await walk.converge(authority('Partners - test'));
});

test('a text that was not sent is not taken as rewritten, though it differs', async () => {
  const walk = harness();
  const ignoring = (name: string) => ({
    'edge.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
lifecycle: {ignore: [/description]}
spec: {description: Ours, hostports: [${name}.example.com:443]}
`,
  });
  await walk.converge(ignoring('one'));
  const [{ id } = { id: '' }] = walk.emulator.snapshot().resources;
  await walk.emulator.handle({
    method: 'PATCH',
    path: `/edges/https/${id}`,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ description: 'Theirs' }),
  });
  await walk.converge(ignoring('two'));
  const minding = { 'edge.yaml': ignoring('two')['edge.yaml'].replace('lifecycle: {ignore: [/description]}\n', '') };
  expect((await walk.plan(minding)).plan.changes).toMatchObject([{ fields: [{ path: ['description'] }] }]);
});

describe('the value of a header', () => {
  const edge = (value: string) => ({
    'edge.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match: /
      match_type: path_prefix
      backend: {backend_id: bkdhr_1}
      request_headers: {add: {X-Served-By: "${value}", X-Plain: same}}
`,
  });

  /** A service that changes letter case in values, as none is known to do. */
  function lowering(): Harness {
    const walk = harness();
    walk.emulator.intercept(async (_, next) => {
      const answer = await next();
      return { ...answer, body: answer.body.replaceAll(/Berlin|Munich/g, (city) => city.toLowerCase()) };
    });
    return walk;
  }

  test('that the service showed otherwise when it was written needs no change', async () => {
    const walk = lowering();
    await walk.converge(edge('Berlin'));
    await walk.converge(edge('Munich'));
    const respelled = { 'edge.yaml': edge('Munich')['edge.yaml'].replace('X-Served-By', 'x-served-by') };
    expect((await walk.plan(respelled)).plan.steps).toEqual([]);
  });

  test('is a change where the manifest changes it', async () => {
    const walk = lowering();
    await walk.converge(edge('Berlin'));
    expect((await walk.plan(edge('berlin'))).plan.steps).toEqual([]);
    const { changes } = (await walk.plan(edge('Munich'))).plan;
    expect(changes.flatMap(({ fields }) => fields)).toMatchObject([
      { path: ['request_headers', 'add', 'X-Served-By'], reason: 'changed' },
    ]);
  });
});
