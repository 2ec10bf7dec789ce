import { expect, test } from 'vitest';
import { idOf, planOf, type Given } from '../support.ts';

type Resources = NonNullable<Given['ours']>;

/** What is reported of renames in a plan from one set of resources to another. */
function hints(ours: Resources, wanted: Resources): string[] {
  return planOf({ ours, wanted })
    .diagnostics.filter(({ code }) => code === 'POSSIBLE_RENAME')
    .map(({ address, message, hint }) => `${address!}: ${message} (${hint!})`);
}

const audit = { sources: [{ type: 'a.v0' }], destination_ids: ['ed_1'] };

test('a resource that is made again under another name is probably renamed', () => {
  expect(hints({ 'EventSubscription/audit': audit }, { 'EventSubscription/log': audit })).toEqual([
    'EventSubscription/log: the new resource looks like EventSubscription/audit, which this plan deletes (to rename the resource without deleting it, set `lifecycle: {moved_from: EventSubscription/audit}`)',
  ]);
});

test('also if a field of several changes, or all but what is unique', () => {
  const changed = { ...audit, description: 'Audit' };
  expect(hints({ 'EventSubscription/audit': audit }, { 'EventSubscription/log': changed })).toHaveLength(1);
  const [store, market] = [
    { hostports: ['shop.example.com:443'], description: 'A' },
    { hostports: ['SHOP.example.com:443'] },
  ];
  expect(hints({ 'HTTPSEdge/store': store }, { 'HTTPSEdge/market': market })).toHaveLength(1);
});

test('each that is deleted is named once, for the one most like it', () => {
  const other = { ...audit, description: 'Audit' };
  const found = hints(
    { 'EventSubscription/audit': audit },
    { 'EventSubscription/a': audit, 'EventSubscription/b': other },
  );
  expect(found.map((line) => line.split(': ')[0])).toEqual(['EventSubscription/a']);
});

test.each(['a', 'z'])('of two that are deleted, the one most like it is named, also if it is called %s', (name) => {
  const exact = `EventSubscription/${name}`;
  const ours = { [exact]: audit, 'EventSubscription/m': { ...audit, description: 'Audit' } };
  expect(hints(ours, { 'EventSubscription/log': audit })).toEqual([
    expect.stringContaining(`looks like ${exact}, which this plan deletes`),
  ]);
});

test.each<[string, Resources, Resources]>([
  [
    'it has little in common',
    { 'EventSubscription/audit': audit },
    { 'EventSubscription/log': { sources: [{ type: 'b.v0' }] } },
  ],
  [
    'it has half in common',
    { 'EventSubscription/audit': audit },
    { 'EventSubscription/log': { ...audit, destination_ids: ['ed_2'] } },
  ],
  ['it is of another kind', { 'EventSubscription/audit': {} }, { 'ReservedAddr/audit': {} }],
  ['nothing is deleted', {}, { 'EventSubscription/log': audit }],
  [
    'what looks like it is there already',
    { 'EventSubscription/audit': audit, 'EventSubscription/log': audit },
    { 'EventSubscription/log': { ...audit, description: 'Audit' } },
  ],
  [
    'the other stays',
    { 'EventSubscription/audit': audit },
    { 'EventSubscription/audit': audit, 'EventSubscription/log': audit },
  ],
])('nothing is reported where %s', (_what, ours, wanted) => {
  expect(hints(ours, wanted)).toEqual([]);
});

test('a resource that is made again under the name that it had before its last rename is refused', () => {
  const renamed = (formerAddresses: readonly string[]) =>
    planOf({
      ours: { 'ReservedAddr/a': { region: 'eu', description: 'A' } },
      wanted: { 'ReservedAddr/b': { region: 'us', description: 'B' } },
      state: { 'ReservedAddr/a': { formerAddresses } },
    }).diagnostics.filter(({ severity }) => severity === 'error');
  expect(renamed(['ReservedAddr/c', 'ReservedAddr/b'])).toMatchObject([
    {
      code: 'MOVED_FROM_MISSING',
      address: 'ReservedAddr/b',
      message: `the plan would delete ReservedAddr/a (${idOf('ReservedAddr/a')}), which had the address ReservedAddr/b before, and create a new resource in its place`,
      hint: 'to keep the resource and rename it, set `lifecycle: {moved_from: ReservedAddr/a}`; to replace it by a new resource, delete it in a separate apply, before ReservedAddr/b is added',
    },
  ]);
  expect(renamed(['ReservedAddr/c'])).toEqual([]);
});

test('a route that is deleted in a renamed edge is not meant by one in a new edge of the earlier name', () => {
  const edge = (host: string) => ({ hostports: [`${host}.example.com:443`] });
  const { diagnostics } = planOf({
    ours: { 'HTTPSEdge/b': edge('shop'), 'HTTPSEdgeRoute/b:/x': {} },
    wanted: { 'HTTPSEdge/b': edge('shop'), 'HTTPSEdge/a': edge('mall'), 'HTTPSEdgeRoute/a:/x': {} },
    state: {
      'HTTPSEdge/b': { formerAddresses: ['HTTPSEdge/a'] },
      'HTTPSEdgeRoute/b:/x': { formerAddresses: ['HTTPSEdgeRoute/a:/x'] },
    },
  });
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
});
