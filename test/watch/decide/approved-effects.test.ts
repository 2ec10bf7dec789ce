/*
 * Manifests and approvals are about what the full plan does: what a change opens only because another one is left out, nobody
 * wants and nobody has approved.
 */
import { describe, expect, test } from 'vitest';
import type { Address } from '../../../src/model/address.ts';
import { atOnce } from '../../../src/model/sliced.ts';
import type { Policy } from '../../../src/model/stack.ts';
import { comparable } from '../../../src/plan/saved/comparable.ts';
import { selectApplicable, type SelectionInput } from '../../../src/watch/decide/select-applicable.ts';
import type { ChangeCause } from '../../../src/model/status/watch-status.ts';
import { digest, harness, type Harness } from '../../support/harness.ts';
import { afterChange, everything } from '../../support/selection.ts';

const edge = (hostports: string, guard: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [${hostports}]
  routes:
    - {name: front, match_type: path_prefix, match: /, backend: {backend_id: bkd_1}${guard}}
`;
const hidden = edge('', '');
const signedIn = edge('shop.example.com:443', ', oauth: {provider: {google: {}}}');
const served: Address = 'HTTPSEdge/shop';
const guarded: Address = 'HTTPSEdgeRoute/shop:front';
const failure = { scope: '', code: 'API_REFUSED', message: 'refused', since: 0, attempts: 1, nextAttempt: 60_000 };

/** What somebody else does to the route. */
function routeByHand(walk: Harness, body: object): Promise<void> {
  const [id, edgeId] = [guarded, served].map((address) => walk.state()?.entries[address]?.id ?? '');
  return byHand(walk, `/edges/https/${edgeId}/routes/${id}`, body);
}

/** What somebody else does to the edge. */
function edgeByHand(walk: Harness, body: object): Promise<void> {
  return byHand(walk, `/edges/https/${walk.state()?.entries[served]?.id ?? ''}`, body);
}

async function byHand(walk: Harness, path: string, body: object): Promise<void> {
  await walk.emulator.handle({
    method: 'PATCH',
    path,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    actor: 'somebody',
  });
}

/** What is selected of a change in which all is approved, while one of the changes has failed. */
async function selected(
  policy: Policy,
  before: string,
  after: string,
  failed: Address | undefined,
  over: Partial<SelectionInput> = {},
  cause: ChangeCause = 'revision',
) {
  const walk = harness({ policy });
  await walk.converge({ 'a.yaml': before });
  const { plan, input } = await walk.plan({ 'a.yaml': after }, { allow: [] });
  const given: SelectionInput = {
    ...afterChange({ ...everything, applyOnChange: false }),
    approved: new Map([...comparable(plan, digest)].map(([address, part]) => [address, { part, cause }])),
    failureOf: (address) => (address === failed ? failure : undefined),
    ...over,
  };
  const { plan: part, pending } = atOnce(selectApplicable(plan, input, given));
  return {
    applied: part.changes.flatMap(({ action, address }) => (action === 'none' ? [] : [address])),
    pending: pending.map(({ address, reason, message }) => [address, reason, message]),
  };
}

const policies: readonly [string, Policy][] = [
  ['a hazard that policy.block lists', { maxDeletes: { count: 9 }, block: ['EXPOSES_PUBLICLY'] }],
  ['what access.public does not list', { maxDeletes: { count: 9 }, block: [], public: [] }],
  [
    'an access rule',
    {
      maxDeletes: { count: 9 },
      block: [],
      access: [
        {
          source: 'repository',
          rules: [{ name: 'staff', urls: ['*.example.com/*'], require: ['authentication'], exceptMethods: [] }],
          exceptions: [],
          strict: false,
          placeOf: () => ({ file: 'sluice.yaml', line: 1, col: 1 }),
        },
      ],
    },
  ],
];

test('an approval of the same change for another cause counts for nothing', async () => {
  const policy: Policy = { maxDeletes: { count: 9 }, block: [] };
  expect(await selected(policy, hidden, signedIn, undefined)).toEqual({ applied: [served, guarded], pending: [] });
  const { applied, pending } = await selected(policy, hidden, signedIn, undefined, {}, 'drift');
  expect(applied).toEqual([]);
  expect(pending.map(([address, reason]) => [address, reason])).toEqual([
    [served, 'approval'],
    [guarded, 'approval'],
  ]);
});

describe.each(policies)('%s', (_, policy) => {
  test('is not caused by an approved change whose access control has failed', async () => {
    const { applied, pending } = await selected(policy, hidden, signedIn, guarded);
    expect(applied).toEqual([]);
    expect(pending).toEqual([
      [
        served,
        'dependency',
        expect.stringMatching(
          /^the change depends on changes that are not applied yet; without those changes: \S/,
        ) as string,
      ],
      [guarded, 'retry', 'refused'],
    ]);
  });

  test('stops nothing where all that was approved is applied together', async () => {
    const { applied, pending } = await selected(policy, hidden, signedIn, undefined);
    expect([applied, pending]).toEqual([[served, guarded], []]);
  });

  test('that was approved as such is applied, also without another change', async () => {
    const open = edge('shop.example.com:443', '');
    const other = `---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\nspec: {region: eu}\n`;
    const { applied, pending } = await selected(policy, hidden, open + other, 'ReservedAddr/mqtt');
    expect(applied).toEqual([served]);
    expect(pending).toEqual([['ReservedAddr/mqtt', 'retry', 'refused']]);
  });
});

describe('without a policy and without approvals', () => {
  const policy: Policy = { maxDeletes: { count: 9 }, block: [] };
  const automatic: Partial<SelectionInput> = { syncSettings: everything, approved: new Map() };

  test('a URL does not become public because its access control has failed', async () => {
    const { applied, pending } = await selected(policy, hidden, signedIn, guarded, automatic);
    expect([applied, pending.map(([address, reason]) => [address, reason])]).toEqual([
      [],
      [
        [served, 'dependency'],
        [guarded, 'retry'],
      ],
    ]);
  });

  test('nor because its access control was disabled by hand, and drift is only reported', async () => {
    const walk = harness({ policy });
    await walk.converge({ 'a.yaml': signedIn });
    await routeByHand(walk, { oauth: { provider: { google: {} }, enabled: false } });
    const more = signedIn.replace('shop.example.com:443', 'shop.example.com:443, www.example.com:443');
    const { plan, input } = await walk.plan({ 'a.yaml': more }, { allow: [] });
    const given = afterChange({ ...everything, healDrift: false });
    const { plan: part, pending } = atOnce(selectApplicable(plan, input, given));
    expect(part.changes.filter(({ action }) => action !== 'none')).toEqual([]);
    expect(pending.map(({ address, reason }) => [address, reason])).toEqual([
      [served, 'dependency'],
      [guarded, 'manual'],
    ]);
  });

  test.each([
    ['is applied', policy, [guarded], 'manual'],
    ['can be approved', { ...policy, block: ['EXPOSES_PUBLICLY'] } satisfies Policy, [], 'approval'],
  ])(
    'what opens less than the manifests, beside a filter added by hand that is only reported, %s',
    async (_, own, applied, reason) => {
      const walk = harness({ policy: own });
      const both = edge('shop.example.com:443', ', oauth: {provider: {google: {}}}');
      await walk.converge({ 'a.yaml': both });
      await routeByHand(walk, { user_agent_filter: { deny: ['curl'] } });
      const { plan, input } = await walk.plan({ 'a.yaml': edge('shop.example.com:443', '') }, { allow: [] });
      const given = afterChange({ ...everything, healDrift: false });
      const { plan: part, pending } = atOnce(selectApplicable(plan, input, given));
      expect(part.changes.flatMap(({ action, address }) => (action === 'none' ? [] : [address]))).toEqual(applied);
      expect(pending.map((one) => [one.address, one.reason])).toEqual([[guarded, reason]]);
    },
  );

  test('what an approval also applies is told, and waits for that alone, though drift of its own is only reported', async () => {
    const walk = harness({ policy: { ...policy, block: ['RESTRICTS_ACCESS'] } });
    await walk.converge({ 'a.yaml': edge('shop.example.com:443', '') });
    await edgeByHand(walk, { description: 'by hand' });
    const more = signedIn.replace('shop.example.com:443', 'shop.example.com:443, www.example.com:443');
    const { plan, input } = await walk.plan({ 'a.yaml': more }, { allow: [] });
    const given = afterChange({ ...everything, healDrift: false });
    const { pending, follows } = atOnce(selectApplicable(plan, input, given));
    expect(pending.map(({ address, reason }) => [address, reason])).toEqual([
      [served, 'dependency'],
      [guarded, 'approval'],
    ]);
    expect([...follows]).toEqual([served]);
  });

  test('an approval also applies nothing of what is applied now without its drift, which is only reported', async () => {
    const walk = harness({ policy: { ...policy, block: ['RESTRICTS_ACCESS'] } });
    const events = (type: string): string =>
      `---\napiVersion: sluice/v1\nkind: EventSubscription\nmetadata: {name: audit}\nspec: {description: Audit, sources: [{type: ${type}}]}\n`;
    const open = edge('shop.example.com:443', '');
    await walk.converge({ 'a.yaml': open + events('a.v0') });
    const audit: Address = 'EventSubscription/audit';
    await byHand(walk, `/event_subscriptions/${walk.state()?.entries[audit]?.id ?? ''}`, { description: 'by hand' });
    const { plan, input } = await walk.plan({ 'a.yaml': signedIn + events('b.v0') }, { allow: [] });
    const given = afterChange({ ...everything, healDrift: false });
    const { plan: part, pending, follows } = atOnce(selectApplicable(plan, input, given));
    expect(part.changes.flatMap(({ action, address }) => (action === 'none' ? [] : [address]))).toEqual([audit]);
    expect(pending.map(({ address, reason }) => [address, reason])).toEqual([
      [audit, 'manual'],
      [guarded, 'approval'],
    ]);
    expect([...follows]).toEqual([]);
  });

  test('a change that would open access beside what was added by hand, and is only reported, requires a manual apply: no other change ends that', async () => {
    const walk = harness({ policy });
    await walk.converge({ 'a.yaml': edge('shop.example.com:443', ', user_agent_filter: {deny: [curl]}') });
    const signIn = (provider: string) => edge('shop.example.com:443', `, oauth: {provider: {${provider}: {}}}`);
    await routeByHand(walk, { oauth: { provider: { google: {} } } });
    const { plan, input } = await walk.plan({ 'a.yaml': signIn('github') }, { allow: [] });
    const given = afterChange({ ...everything, healDrift: false });
    const { pending } = atOnce(selectApplicable(plan, input, given));
    expect(pending).toMatchObject([
      {
        address: guarded,
        reason: 'manual',
        message: expect.stringMatching(
          /^drifted; watch\.heal_drift is off for this kind; the change depends on changes that are not applied yet; without those changes: OPENS_ACCESS/,
        ) as string,
      },
    ]);
  });

  test('what the manifests open is opened, and what they list as public becomes public, whatever else has failed', async () => {
    const open = edge('shop.example.com:443', '');
    expect((await selected(policy, signedIn, open, undefined, automatic)).applied).toEqual([guarded]);
    const listed: Policy = { ...policy, public: ['shop.example.com/*'] };
    expect((await selected(listed, hidden, signedIn, guarded, automatic)).applied).toEqual([served]);
  });
});
