import { expect, test } from 'vitest';
import { idsOf, remembered, shop, testAccount } from './account.ts';

test('a resource has the name that state has, where its marker cannot be written again and so is never newer', async () => {
  const account = testAccount({ profile: 'documented' }, { ...shop, profile: 'documented' });
  const shopId = await account.add('HTTPSEdge/old');
  const cartId = await account.add('HTTPSEdgeRoute/old:cart', { parent: shopId });
  const state = remembered({ 'HTTPSEdge/new': shopId, 'HTTPSEdgeRoute/new:cart': [cartId, shopId] });
  for (const addresses of [[], ['HTTPSEdge/old'], ['HTTPSEdge/new'], ['HTTPSEdge/newest']]) {
    const found = await account.look({ state, addresses });
    expect(idsOf(found)).toEqual({ 'HTTPSEdge/new': shopId, 'HTTPSEdgeRoute/new:cart': cartId });
    expect(found.missing).toEqual([]);
  }
  // An old state has the name of the marker, which is all that is known then.
  const older = await account.look({ state: remembered({ 'HTTPSEdge/old': shopId }), addresses: ['HTTPSEdge/new'] });
  expect(idsOf(older)).toMatchObject({ 'HTTPSEdge/old': shopId });
});
