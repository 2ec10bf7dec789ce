/*
 * What a service shows of a secret does not tell which one it has. Where the answer to an update is lost, it may have either:
 * then no plan may say that it has one of them.
 */
import { describe, expect, test } from 'vitest';
import { harness, type Harness } from '../support/harness.ts';
import { storedSecrets } from '../support/stored-secrets.ts';

const route = (secret: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec: {hostports: [shop.example.com:443]}
---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: front}
spec:
  edge_id: {ref: shop}
  match_type: path_prefix
  match: /
  backend: {backend_id: bkd_1}
  webhook_verification: {provider: github, secret: ${secret}}
`;
const [first, second] = [{ 'a.yaml': route('first-secret-4711') }, { 'a.yaml': route('second-secret-4712') }];
const writes = new Set(['PATCH', 'PUT']);

/** A service that carries out updates, or refuses to, and answers each with a status. */
async function afterUpdate(
  profile: 'completed' | 'documented',
  status: number,
  isCarriedOut: boolean,
): Promise<{ readonly walk: Harness; readonly ending: string | undefined }> {
  const walk = harness({ profile, service: { secrets: 'masked' } });
  await walk.converge(first);
  const { plan } = await walk.plan(second);
  const heal = walk.emulator.intercept(async (exchange, next) => {
    if (!writes.has(exchange.method)) return next();
    if (isCarriedOut) await next();
    return { status, headers: {}, body: '{"msg": "trouble"}' };
  });
  const { changes } = await walk.apply(plan);
  heal();
  return { walk, ending: changes[0]?.ending };
}

describe.each(['completed', 'documented'] as const)('an update with another secret under %s', (profile) => {
  test.each([
    ['carried out', true],
    ['not carried out', false],
  ])('that was %s and whose answer says nothing: both the new and the old secret are sent again', async (_, isDone) => {
    for (const wanted of [first, second]) {
      const { walk, ending } = await afterUpdate(profile, 500, isDone);
      expect(ending).toBe('unknown');
      const { plan } = await walk.converge(wanted);
      expect(plan.changes.flatMap(({ fields }) => fields)).toMatchObject([{ reason: 'changed', secret: true }]);
      expect(storedSecrets(walk)).toEqual([wanted === first ? 'first-secret-4711' : 'second-secret-4712']);
    }
  });

  test('that is refused leaves what is known of the old secret', async () => {
    const { walk, ending } = await afterUpdate(profile, 400, false);
    expect(ending).toBe('failed');
    expect((await walk.plan(first)).plan.steps).toEqual([]);
    expect((await walk.converge(second)).plan.steps).toHaveLength(1);
  });

  test('is recorded as doubtful before it is sent: a run that is killed cannot do so afterwards', async () => {
    const walk = harness({ profile, service: { secrets: 'masked' } });
    await walk.converge(first);
    const { plan } = await walk.plan(second);
    const spec = (): unknown =>
      walk.state()?.entries['HTTPSEdgeRoute/shop:front']?.spec['webhook_verification'] ?? 'nothing';
    const known = spec();
    let seen: unknown;
    walk.emulator.intercept((exchange, next) => {
      if (writes.has(exchange.method)) seen = spec();
      return next();
    });
    await walk.apply(plan);
    expect(known).toMatchObject({ provider: 'github', secret: {} });
    expect(seen).toEqual({ provider: 'github' });
    expect(spec()).toMatchObject({ provider: 'github', secret: {} });
  });
});
