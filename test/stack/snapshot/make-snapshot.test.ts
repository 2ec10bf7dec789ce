import { describe, expect, test } from 'vitest';
import { joinMetadata } from '../../../src/derive/marker.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { OutsideValue, Ref } from '../../../src/kinds/value.ts';
import type { Account, Actual } from '../../../src/model/actual.ts';
import type { DesiredStack } from '../../../src/model/resource.ts';
import { makeSnapshot } from '../../../src/stack/snapshot/make-snapshot.ts';
import { endpointKeys, idKey, keyedHash, naturalKeysOf } from '../../../src/stack/snapshot/natural-keys.ts';
import { parseSnapshot } from '../../../src/stack/snapshot/snapshot-text.ts';
import { snapshotSource } from '../../../src/stack/snapshot/snapshot-source.ts';

const stack = { name: 'company', id: '5c1e7a90' };
const ofStack = { s: 'company/5c1e7a90', a: 'HTTPSEdge/old', p: 'default', n: 'nonce' };
const edge = (id: string, more: Partial<Actual> = {}): Actual => ({
  ...{ kind: 'HTTPSEdge', id, spec: { hostports: [`${id}.example.com:443`] }, computed: {} },
  ...more,
});
const route = (id: string, parent: string): Actual => ({
  ...{ kind: 'HTTPSEdgeRoute', id, parent, spec: { match: '/' }, computed: {} },
});

function snapshot(
  account: Partial<Account>,
  given: { readonly adopt?: string; readonly forgotten?: string; readonly wanted?: readonly object[] } = {},
) {
  const { adopt, forgotten, wanted = [] } = given;
  const adopting = { address: 'HTTPSEdge/adopted', kind: 'HTTPSEdge', spec: {}, lifecycle: { adopt } };
  const resources = [...wanted, ...(adopt === undefined ? [] : [adopting])];
  const made = makeSnapshot({
    stack,
    service: 'https://api.example.com',
    takenAt: '2026-03-02T12:00:00.000Z',
    revision: undefined,
    account: { ours: new Map(), foreign: [], complete: new Set(), ...account } as unknown as Account,
    endpoints: [
      {
        id: 'ep_1',
        url: '',
        hostport: 'one.example.com:443',
        server: 'edghts_1',
        metadata: joinMetadata('{"owner":"what others wrote"}', ofStack),
      },
      { id: 'ep_2', url: '', hostport: 'two.example.com:443', server: 'edghts_2', metadata: 'hunter2' },
    ],
    state: forgotten === undefined ? undefined : ({ entries: {}, forgotten: { [forgotten]: {} } } as never),
    desired: { resources, diagnostics: [] } as unknown as DesiredStack,
    digest: (one) => `digest of ${one}`,
  });
  return { ...made, ids: readIds(made.text) };
}

function readIds(text: string): readonly string[] {
  return (JSON.parse(text) as { resources: readonly { id: string }[] }).resources.map(({ id }) => id);
}

describe('a snapshot has', () => {
  test('what the stack manages with all that it contains, and of others neither ids nor values', () => {
    const ours = new Map([['HTTPSEdge/shop', edge('edghts_1')]]);
    const foreign = [route('edghtsrt_1', 'edghts_1'), edge('edghts_2'), route('edghtsrt_2', 'edghts_2')];
    const { text, ids, resources } = snapshot({ ours }, {});
    expect([ids, resources]).toEqual([['edghts_1'], 1]);
    const whole = snapshot({ ours, foreign });
    expect([whole.ids, whole.resources]).toEqual([['edghts_1', 'edghtsrt_1'], 2]);
    for (const secret of ['edghts_2', 'edghtsrt_2', 'two.example.com', 'hunter2', 'what others wrote'])
      expect(whole.text).not.toContain(secret);
    const { file } = parseSnapshot(whole.text, 'snapshot.json');
    expect(file.endpoints).toEqual([
      { id: 'ep_1', url: '', hostport: 'one.example.com:443', server: 'edghts_1', metadata: joinMetadata('', ofStack) },
    ]);
    const hashed = keyedHash(file.salt);
    expect(file.other_endpoints).toEqual([
      { keys: endpointKeys({ hostport: 'TWO.example.com:443' }).map(hashed), has_server: true },
    ]);
    expect(file.other_resources[0]?.keys).toContain(hashed(idKey('HTTPSEdge', 'edghts_2')));
    expect(text).not.toBe(whole.text);
  });

  test('what is not managed yet or any more, but was: of another address, adopted, forgotten, or there twice', () => {
    const all = ['marked', 'adopted', 'forgotten', 'theirs'];
    const foreign = all.map((id) => edge(id, id === 'marked' ? { marker: ofStack } : {}));
    expect(snapshot({ foreign }, { adopt: 'adopted', forgotten: 'forgotten' }).ids).toEqual(all.slice(0, 3));
    const marker = { ...ofStack, s: 'others/00000001' };
    expect(snapshot({ foreign: [edge('theirs', { marker })] }).ids).toEqual([]);
    const [duplicate, old] = [edge('twice'), edge('deposed')].map((actual) => ({ address: 'HTTPSEdge/shop', actual }));
    expect(snapshot({ duplicates: [duplicate], deposed: [old] } as never).ids).toEqual(['twice', 'deposed']);
  });
});

test('of a resource of another stack, a snapshot has the values that the manifests take, groups and all, and no others', () => {
  const [owner, address] = ['others/00000001', 'HTTPSEdge/door'];
  const theirs = edge('edghts_9', {
    spec: { hostports: ['hidden.example.com:443'], tls_termination: { min_version: '1.3', terminate_at: 'edge' } },
    marker: { ...ofStack, s: owner, a: address },
  });
  const taken = (...fields: readonly string[]) => {
    const references = fields.map((field) => ({ ref: new Ref('', field, { stack: '../others', owner, address }) }));
    const wanted = [{ address: 'HTTPSEdge/shop', kind: 'HTTPSEdge', spec: {}, lifecycle: {}, references }];
    const { text } = snapshot({ foreign: [theirs, edge('edghts_8')] }, { wanted });
    expect(text).not.toContain('hidden.example.com');
    return parseSnapshot(text, 'snapshot.json').resources.map(({ id, spec, computed }) => [id, spec, computed]);
  };
  expect(taken('tls_termination.min_version')).toEqual([['edghts_9', {}, { tls_termination: { min_version: '1.3' } }]]);
  expect(taken('id')).toEqual([['edghts_9', {}, { id: 'edghts_9' }]]);
  expect(taken()).toEqual([]);
});

describe('a value from outside is not in a snapshot', () => {
  const wanted = ['shop', 'api'].map((name) => ({
    address: `HTTPSEdge/${name}`,
    kind: 'HTTPSEdge',
    spec: name === 'shop' ? { description: new OutsideValue('hunter2', { from_env: 'TEXT' }) } : {},
    lifecycle: {},
  }));
  const shown = (description: string, of: 'shop' | 'api'): string =>
    snapshot({ ours: new Map([[`HTTPSEdge/${of}`, edge('edghts_1', { spec: { description } })]]) }, { wanted }).text;

  test('where the manifests take it, also while the account still has the one before it', () => {
    for (const value of ['hunter2', 'the one before']) expect(shown(value, 'shop')).not.toContain(value);
    expect(shown('hunter2', 'shop')).toContain('TEXT');
  });

  test('nor where somebody has copied it to; what the manifests write out is', () => {
    expect(shown('hunter2', 'api')).not.toContain('hunter2');
    expect(shown('an edge', 'api')).toContain('an edge');
  });
});

describe('a plan from a snapshot finds', () => {
  const theirs = snapshot({ ours: new Map([['HTTPSEdge/shop', edge('edghts_1')]]), foreign: [edge('edghts_2')] }).text;
  const wanting = (more: object) => {
    const one = {
      address: 'HTTPSEdge/new',
      kind: 'HTTPSEdge',
      spec: {},
      lifecycle: {},
      places: { of: () => undefined },
      ...more,
    };
    return snapshotSource(parseSnapshot(theirs, 'snapshot.json'), { resources: [one], diagnostics: [] } as never);
  };
  const edges = async (more: object): Promise<readonly unknown[]> => {
    const found: unknown[] = [];
    const kind = kinds.named('HTTPSEdge');
    if (kind !== undefined) for await (const [{ id, spec }] of wanting(more).list(kind)) found.push([id, spec]);
    return found;
  };
  const own = ['edghts_1', { hostports: ['edghts_1.example.com:443'] }];

  test('what others have of the values that the manifests want, and no others', async () => {
    const hostports = ['free.example.com:443', 'EDGHTS_2.example.com:443'];
    expect(await edges({ spec: { hostports } })).toEqual([
      own,
      ['(the snapshot does not record the id)', { hostports: ['EDGHTS_2.example.com:443'] }],
    ]);
    expect(await edges({ spec: { hostports: ['free.example.com:443'] } })).toEqual([own]);
  });

  test('that a resource of others is named by its id, whose fields it does not have', () => {
    expect(() => wanting({ lifecycle: { adopt: 'edghts_2' } })).toThrow(
      'the manifest refers to the unmanaged HTTPSEdge edghts_2, which the snapshot does not contain',
    );
    const inside = { address: 'HTTPSEdgeRoute/x:/', kind: 'HTTPSEdgeRoute', spec: { edge_id: 'edghts_2' } };
    expect(() => wanting(inside)).toThrow('unmanaged HTTPSEdge edghts_2');
    expect(() => wanting({ ...inside, spec: { edge_id: 'edghts_1' } })).not.toThrow();
  });
});

describe('the texts by which resources conflict', () => {
  test('are those that only one may have, spelled in one way, of a list each', () => {
    const kind = kinds.named('HTTPSEdge');
    if (kind === undefined) throw new Error('there is no such kind');
    const keys = (hostports: readonly string[]) => naturalKeysOf(kind, { hostports });
    expect(keys(['SHOP.example.com:443', 'b.example.com:443', ''])).toMatchObject([
      { field: 'hostports', isInList: true, value: 'SHOP.example.com:443' },
      { field: 'hostports', isInList: true, value: 'b.example.com:443' },
    ]);
    expect(keys(['SHOP.example.com:443'])[0]?.key).toBe(keys(['shop.example.com:443'])[0]?.key);
    expect(naturalKeysOf(kind, {})).toEqual([]);
  });

  test('of what lives in another are its own, apart from those of the account', () => {
    const kind = kinds.named('HTTPSEdgeRoute');
    if (kind === undefined) throw new Error('there is no such kind');
    expect(naturalKeysOf(kind, { match: '/' })).toEqual([]);
    expect(naturalKeysOf(kind, { match: '/' }, 'parent')).toMatchObject([
      { field: 'match', isInList: false, value: '/' },
    ]);
  });

  test('of an endpoint are its place with the port and without', () => {
    expect(endpointKeys({ hostport: 'Shop.example.com:443' })).toEqual([
      'endpoint shop.example.com:443',
      'endpoint shop.example.com',
    ]);
    expect(endpointKeys({ hostport: 'shop.example.com' })).toEqual(['endpoint shop.example.com']);
  });
});

test('the key of an id in a snapshot is as in files written before, which are still read', () => {
  expect(idKey('HTTPSEdge', 'edghts_1')).toBe('HTTPSEdge id edghts_1');
});
