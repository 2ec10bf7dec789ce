import { describe, expect, test } from 'vitest';
import { changeOf, idOf, planOf, type Given } from './support.ts';

const shop = 'HTTPSEdge/shop';
const edge = { hostports: ['shop.example.com:443'] };

describe('what happened behind our back', () => {
  test('something that state knows and that is gone is made again, and the plan reports that', () => {
    const plan = planOf({ wanted: { [shop]: edge }, state: { [shop]: { spec: edge } } });
    expect(changeOf(plan, shop)).toMatchObject({
      action: 'create',
      why: [`${idOf(shop)} no longer exists in the account; apply creates the resource again`],
      deletedOutside: { id: idOf(shop), spec: edge },
    });
  });

  test.each<[string, NonNullable<Given['markers']>, boolean]>([
    ['taken away', { [shop]: undefined }, true],
    ['with another nonce', { [shop]: { n: 'other' } }, true],
    ['with other flags', { [shop]: { p: 'p' } }, true],
    ['with another address', { [shop]: { a: 'HTTPSEdge/other' } }, true],
    ['with a former address', { [shop]: { a: 'HTTPSEdge/store' } }, false],
    ['of the stack by its former name', { [shop]: { s: 'production/7f3a9c21' } }, false],
  ])('a marker %s', (_what, markers, drifted) => {
    const state = { [shop]: { nonce: 'nonce', formerAddresses: ['HTTPSEdge/store'] } };
    const plan = planOf({ wanted: { [shop]: edge }, ours: { [shop]: edge }, markers, state });
    expect(changeOf(plan, shop)).toMatchObject({ action: 'update', markerOnly: true });
    expect(changeOf(plan, shop).markerDrifted).toBe(drifted ? true : undefined);
  });

  test('a marker that the manifest changes has not drifted', () => {
    const given = { wanted: { [shop]: edge }, ours: { [shop]: edge } };
    const plan = planOf({
      ...given,
      lifecycle: { [shop]: { protect: true } },
      state: { [shop]: { protect: false } },
      markers: { [shop]: { p: '' } },
    });
    expect(changeOf(plan, shop)).toMatchObject({ action: 'update', markerOnly: true });
    expect(changeOf(plan, shop).markerDrifted).toBeUndefined();
  });

  test('without state nobody can tell', () => {
    const plan = planOf({
      wanted: { [shop]: edge },
      ours: { [shop]: edge },
      markers: { [shop]: { n: 'other', p: 'p' } },
      state: 'lost',
    });
    expect(changeOf(plan, shop).markerDrifted).toBeUndefined();
  });

  test('a field that changed and drifted remembers from where', () => {
    const plan = planOf({
      wanted: { [shop]: { ...edge, description: 'new' } },
      ours: { [shop]: { ...edge, description: 'by hand' } },
      state: { [shop]: { spec: { ...edge, description: 'old' } } },
    });
    expect(changeOf(plan, shop).fields).toMatchObject([
      { reason: 'both', before: 'by hand', after: 'new', applied: 'old' },
    ]);
  });
});

test('a deletion knows where it last stood', () => {
  const plan = planOf({ ours: { [shop]: edge }, state: { [shop]: { source: 'manifests/shop.yaml:3' } } });
  expect(changeOf(plan, shop)).toMatchObject({
    action: 'delete',
    lastSource: 'manifests/shop.yaml:3',
    why: ['not in the manifests, last defined at manifests/shop.yaml:3'],
  });
});
