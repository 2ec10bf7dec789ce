/* The secret with which a webhook provider signs: whoever knows it gets in. */
import { expect, test } from 'vitest';
import { Secret } from '../../../src/kinds/value.ts';
import { backend, hazards, type Specs } from '../support.ts';
import { applied, nothing, planIn } from './walk-world.ts';

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

test('but not where the service masks the former one: nobody knows that it is another', () => {
  const masked = { ...before, actual: { ...before.actual, ...signed('********') } };
  expect(hazards(planIn(masked, narrower))).toEqual([]);
});

test('one that was exchanged outside sluice is reported where the plan leaves it so, unless the service shows what it showed before', () => {
  const exchanged = { ...before, actual: { ...before.actual, ...signed('second') } };
  expect(hazards(planIn(exchanged, signed('second')))).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… were changed outside sluice: `webhook_verification.secret` changes: signatures made with the new value are accepted',
  ]);
  const masked = { ...before, actual: { ...before.actual, ...signed('********') } };
  expect(hazards(planIn(masked, signed('first')))).toEqual([]);
});
