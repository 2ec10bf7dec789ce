/* The secret with which a webhook provider signs: whoever knows it gets in. */
import { expect, test } from 'vitest';
import { Secret, type SpecObject } from '../../../src/kinds/value.ts';
import { backend, hazards, hazardsOf, inputOf, planOf, type Specs } from '../support.ts';
import { applied, nothing, planIn, walk, type World } from './walk-world.ts';

const signed = (text: string, path = '/'): Specs => ({
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
  [`HTTPSEdgeRoute/shop:${path}`]: {
    ...backend,
    webhook_verification: { provider: 'github', secret: new Secret(text) },
  },
});
const before = applied(nothing, planIn(nothing, signed('first')));
const narrower: Specs = { ...signed('first'), ...signed('second', '/hooks') };

test('one that is exchanged refuses those who sign with the old one, and lets in those who know the new one', () => {
  expect(hazards(planIn(before, signed('second')))).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/…: `webhook_verification.secret` changes: signatures made with the new value are accepted',
    'RESTRICTS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/…: `webhook_verification.secret` changes: signatures made with the old value are refused',
  ]);
});

test('so does a narrower route with another one', () => {
  expect(hazards(planIn(before, narrower))).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/hooks: requests to https://shop.example.com/hooks… are now handled by HTTPSEdgeRoute/shop:/hooks: `webhook_verification.secret` changes: signatures made with the new value are accepted',
    'RESTRICTS_ACCESS HTTPSEdgeRoute/shop:/hooks: requests to https://shop.example.com/hooks…: `webhook_verification.secret` changes: signatures made with the old value are refused',
  ]);
});

test('also where the service masks the former one: state knows that it is another, or the same', () => {
  const masked = { ...before, actual: { ...before.actual, ...signed('********') } };
  expect(hazards(planIn(masked, narrower))).toEqual(hazards(planIn(before, narrower)));
  expect(hazards(planIn(masked, { ...signed('first'), ...signed('first', '/hooks') }))).toEqual([]);
});

test('one that was exchanged outside sluice is reported where the plan leaves it so, unless the service shows what it showed before', () => {
  const exchanged = { ...before, actual: { ...before.actual, ...signed('second') } };
  expect(hazards(planIn(exchanged, signed('second')))).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… (access control changed outside sluice): `webhook_verification.secret` changes: signatures made with the new value are accepted',
  ]);
  const masked = { ...before, actual: { ...before.actual, ...signed('********') } };
  expect(hazards(planIn(masked, signed('first')))).toEqual([]);
});

const route = 'HTTPSEdgeRoute/shop:/';
const exchanged = 'signatures made with the new value are accepted';
const unserved = (text: string): Specs => ({ ...signed(text), [route]: { ...signed(text)[route], backend: null } });

test('state knows that it is another also where the service shows none, or hides it', () => {
  const shows = (webhook_verification: SpecObject): World => ({
    ...before,
    actual: { ...before.actual, [route]: { ...backend, webhook_verification } },
  });
  for (const world of [shows({ provider: 'github' }), shows({ provider: 'github', secret: new Secret('********') })]) {
    expect(hazardsIn(world, signed('second'))).toEqual([expect.stringContaining(exchanged), expect.anything()]);
    expect(hazardsIn(world, signed('first'))).toEqual([]);
  }
});

test.each([
  ['its route is gone', [signed('first'), { 'HTTPSEdge/shop': signed('')['HTTPSEdge/shop'] ?? {} }]],
  ['its route leads nowhere', [signed('first'), unserved('first'), unserved('second')]],
])('one that is exchanged while %s is reported once requests are served again', (_what, stacks) => {
  const again = [
    `OPENS_ACCESS ${route}: requests to https://shop.example.com/… are served again: \`webhook_verification.secret\` changes: ${exchanged}`,
  ];
  expect(walk(...stacks, signed('second')).at(-1)).toEqual(again);
  expect(walk(...stacks, signed('first')).at(-1)).toEqual([]);
});

test('that is known from state where the service hides the secret', () => {
  const hidden = { ...before, actual: { ...before.actual, ...signed('********') } };
  const gone = applied(hidden, planIn(hidden, unserved('first')));
  expect(JSON.stringify(gone.lastAccess)).toContain('digest of first');
  expect(hazardsIn(gone, signed('second'))).toEqual([expect.stringContaining(exchanged)]);
  expect(hazardsIn(gone, signed('first'))).toEqual([]);
});

test('one that is exchanged is reported where the service hides it, and state was rebuilt', () => {
  const known = inputOf({ ours: signed('first') }).state?.entries[route] ?? {};
  const rebuilt = { [route]: { ...known, rebuilt: true } as const };
  const plan = planOf({ ours: signed('********'), wanted: signed('second'), state: rebuilt });
  expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([expect.stringContaining(exchanged)]);
});

test('one that is exchanged while the edge is replaced is reported, although the service hides it', () => {
  const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
  const webhook = (text: string): Specs => ({
    ...edge,
    [route]: { ...backend, webhook_verification: { provider: 'github', secret: new Secret(text) } },
  });
  const known = inputOf({ ours: webhook('first') }).state?.entries[route] ?? {};
  const wanted = { ...webhook('second'), 'HTTPSEdge/shop': { ...edge['HTTPSEdge/shop'], description: 'Shop' } };
  const plan = planOf({ profile: 'documented', ours: webhook('********'), wanted, state: { [route]: known } });
  expect(hazardsOf(plan, 'OPENS_ACCESS')).toEqual([expect.stringContaining(exchanged)]);
});

function hazardsIn(world: World, manifests: Specs): string[] {
  return hazards(planIn(world, manifests)).filter((line) => !line.startsWith('INTERRUPTS_TRAFFIC'));
}
