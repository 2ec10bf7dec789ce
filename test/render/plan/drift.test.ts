import { describe, expect, test } from 'vitest';
import { type Change, type FieldChange, type Reason, hasDrifted } from '../../../src/model/plan/plan.ts';
import { driftAsChange, splitByCause } from '../../../src/render/plan/drift.ts';
import { change, field } from '../plans.ts';

const shop = 'HTTPSEdge/shop';
const route = 'HTTPSEdgeRoute/shop:/';
const because = (reason: Reason, path = 'description'): FieldChange => ({ ...field(path, 'is', 'wanted'), reason });
const marker = (a = shop, p = ''): NonNullable<Change['marker']> => ({ s: 'prod/7f3a9c21', a, p, n: '0' });

describe('what drifted is set apart', () => {
  test.each<[string, Partial<Change>, side: string]>([
    ['a field that drifted', { fields: [because('drifted')] }, 'put back'],
    ['a field that was changed', { fields: [because('changed')] }, 'introduced'],
    ['a field that was changed and drifted is a change', { fields: [because('both')] }, 'introduced'],
    ['nobody knows: a change', { fields: [because('unknown')] }, 'introduced'],
    [
      'some of each is on both sides',
      { fields: [because('drifted'), because('changed', 'metadata')] },
      'introduced and put back',
    ],
    ['a marker that was taken away', { markerOnly: true, markerDrifted: true, marker: marker() }, 'put back'],
    ['a marker that is to say more', { markerOnly: true, marker: marker() }, 'introduced'],
    [
      'protection given beside what drifted',
      { fields: [because('drifted')], marker: marker(shop, 'p'), markerBefore: marker() },
      'introduced and put back',
    ],
    [
      'another address beside what drifted',
      { fields: [because('drifted')], movedFrom: 'HTTPSEdge/a' },
      'introduced and put back',
    ],
    ['something that is gone', { action: 'create', deletedOutside: { id: 'edghts_1', spec: {} } }, 'put back'],
    ['something new', { action: 'create' }, 'introduced'],
    ['what is made anew for drift alone', { action: 'replace-delete-first', fields: [because('drifted')] }, 'put back'],
    ['what is made anew because it is due', { action: 'replace-create-first' }, 'introduced'],
    ['a deletion', { action: 'delete' }, 'introduced'],
    ['what is adopted has nothing it drifted from', { action: 'adopt', fields: [because('unknown')] }, 'introduced'],
    ['nothing at all', { action: 'none' }, ''],
  ])('%s', (_what, facts, side) => {
    const { introduced, repairs, both } = splitByCause([change({ address: shop, action: 'update', ...facts })]);
    const sides = [...(introduced.length > 0 ? ['introduced'] : []), ...(repairs.length > 0 ? ['put back'] : [])];
    expect(sides.join(' and ')).toBe(side);
    expect(both.has(shop)).toBe(sides.length === 2);
    expect([...introduced, ...repairs].flatMap(({ fields }) => fields)).toHaveLength(facts.fields?.length ?? 0);
  });

  test('what is made anew along with its home stands where its home stands', () => {
    const anew = (reason: Reason): readonly Change[] => [
      change({ address: shop, action: 'replace-delete-first', fields: [because(reason)] }),
      change({ address: route, action: 'replace-delete-first', deletedWith: shop }),
    ];
    expect(splitByCause(anew('drifted')).repairs.map(({ address }) => address)).toEqual([shop, route]);
    expect(splitByCause(anew('changed')).introduced.map(({ address }) => address)).toEqual([shop, route]);
  });
});

describe('drift as a change of its own', () => {
  test('leads from what was applied to what is there', () => {
    const drifted = driftAsChange(
      change({
        address: shop,
        action: 'update',
        id: 'edghts_1',
        actual: { description: 'by hand', metadata: 'also', hostports: [] },
        fields: [
          { ...field('description', 'by hand', 'Shop'), reason: 'drifted' },
          { ...field('metadata', 'also', 'wanted'), reason: 'both', applied: 'as it was' },
          field('hostports', [], ['shop.example.com:443']),
        ],
      }),
    );
    expect(drifted).toMatchObject({
      action: 'update',
      actual: { description: 'Shop', metadata: 'as it was', hostports: [] },
      desired: { description: 'by hand', metadata: 'also' },
    });
    expect(drifted.fields.map(({ before, after }) => [before, after])).toEqual([
      ['Shop', 'by hand'],
      ['as it was', 'also'],
    ]);
  });

  test('of what is gone is its deletion', () => {
    const gone = change({
      address: shop,
      action: 'create',
      deletedOutside: { id: 'edghts_1', spec: { description: 'Shop' } },
    });
    expect(hasDrifted(gone)).toBe(true);
    expect(driftAsChange(gone)).toMatchObject({ action: 'delete', id: 'edghts_1', actual: { description: 'Shop' } });
  });
});
