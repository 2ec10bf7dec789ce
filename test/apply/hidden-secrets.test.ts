/*
 * Services hide secrets each in its own way: as nothing, as a mask, or as a text of their own that stays the same for the
 * same secret. What was read so is never sent back, whatever the reason that its module is written for.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/kinds/kind.ts';
import { harness, type Harness } from '../support/harness.ts';
import { storedSecrets } from '../support/stored-secrets.ts';

const secret = 'kept-between-us-4711';
const modules = {
  oauth: (scopes: string) =>
    `oauth: {provider: {google: {client_id: app, client_secret: ${secret}, scopes: [${scopes}]}}}`,
  oidc: (scopes: string) =>
    `oidc: {issuer: "https://id.example.com", client_id: app, client_secret: ${secret}, scopes: [${scopes}]}`,
  webhook_verification: (provider: string) => `webhook_verification: {provider: ${provider}, secret: ${secret}}`,
};
const pointers = {
  oauth: '/oauth/provider/google/client_secret',
  oidc: '/oidc/client_secret',
  webhook_verification: '/webhook_verification/secret',
};
type Module = keyof typeof modules;

const edge = `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443]}
---
`;
const route = (module: string, description: string, ignore: readonly string[]): string => `${edge}apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: front}
lifecycle: {ignore: [${ignore.join(', ')}]}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /
  description: ${description}
  backend: {backend_id: bkd_1}
  ${module}
`;

type Hiding = 'masked' | 'empty' | 'echoed';

/** A service that hides secrets in a way. */
function hiding(how: Hiding, profile: Profile): Harness {
  const walk = harness({ profile, service: how === 'echoed' ? {} : { secrets: how } });
  if (how === 'echoed')
    walk.emulator.intercept(async (_, next) => {
      const answer = await next();
      return {
        ...answer,
        body: answer.body.replaceAll(new RegExp(`"(${secret}[^"]*)"`, 'g'), (_all, text: string) => `"${echo(text)}"`),
      };
    });
  return walk;
}

function echo(text: string): string {
  return `hidden-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

const all = (['masked', 'empty', 'echoed'] as const).flatMap((how) =>
  (['completed', 'documented'] as const).flatMap((profile) =>
    (Object.keys(modules) as Module[]).map((module) => ({ how, profile, module })),
  ),
);

describe.each(all)('a secret of $module that is read $how, under $profile,', ({ how, profile, module }) => {
  test.each([
    ['when another field of its module changes', 'second', 'first', []],
    ['when another field of its route changes', 'first', 'other words', []],
    ['when it is ignored and another field of its module changes', 'second', 'first', [pointers[module]]],
    ['when its module is ignored and the route changes', 'first', 'other words', [`/${module}`]],
  ])('is not sent back %s', async (_, value, description, ignore) => {
    const walk = hiding(how, profile);
    await walk.converge({ 'stack.yaml': route(modules[module]('first'), 'first', ignore) });
    const before = walk.emulator.log.length;
    await walk.converge({ 'stack.yaml': route(modules[module](value), description, ignore) });
    const sent = walk.emulator.log.slice(before).map((entry) => JSON.stringify(entry));
    expect(sent.length).toBeGreaterThan(0);
    expect(storedSecrets(walk)).toEqual([secret]);
  });

  test('is the value of the manifest once that changes, and then known again', async () => {
    const walk = hiding(how, profile);
    const first = route(modules[module]('first'), 'first', []);
    await walk.converge({ 'stack.yaml': first });
    await walk.converge({ 'stack.yaml': first.replace(secret, `${secret}-new`) });
    expect(storedSecrets(walk)).toEqual([`${secret}-new`]);
  });
});

test('state remembers how the service shows a secret only where that is another text than was written', async () => {
  const front = route(modules.oidc('first'), 'first', []);
  const [open, masking] = [harness(), harness({ service: { secrets: 'masked' } })];
  for (const walk of [open, masking]) await walk.converge({ 'stack.yaml': front });
  const remembered = ({ state }: Harness) =>
    Object.values(state()?.entries ?? {}).flatMap(({ returnedSecrets = {} }) => Object.keys(returnedSecrets));
  expect(remembered(open)).toEqual([]);
  expect(remembered(masking)).toEqual([pointers.oidc]);
});

test('state remembers nothing of a secret that the manifests do not set', async () => {
  const walk = harness({ service: { secrets: 'masked' } });
  const front = (description: string) => ({ 'stack.yaml': route('', description, ['/webhook_verification']) });
  await walk.converge(front('first'));
  const { id = '', parent = '' } = walk.state()?.entries['HTTPSEdgeRoute/shop:front'] ?? {};
  await walk.emulator.handle({
    method: 'PATCH',
    path: `/edges/https/${parent}/routes/${id}`,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ webhook_verification: { provider: 'github', secret } }),
    actor: 'somebody',
  });
  expect(storedSecrets(walk)).toEqual([secret]);
  await walk.converge(front('other words'));
  expect(walk.state()?.entries['HTTPSEdgeRoute/shop:front']).not.toHaveProperty('returnedSecrets');
});
