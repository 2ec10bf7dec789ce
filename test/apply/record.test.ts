/* What state is to remember of a resource once its requests have been answered. */
import { describe, expect, test } from 'vitest';
import { entryOf, isMoveOnly, isRecorded, secretsIn, type Applied } from '../../src/apply/record.ts';
import { fromWire } from '../../src/derive/wire/from-wire.ts';
import { httpsEdgeRoute } from '../../src/kinds/https-edge-route/index.ts';
import { Secret, type SpecObject } from '../../src/kinds/value.ts';
import type { Change } from '../../src/model/plan/plan.ts';
import type { Entry } from '../../src/model/state.ts';

const digest = (text: string): string => `digest of ${text}`;
const id = 'edghtsrt_1';
const before: Entry = { kind: 'HTTPSEdgeRoute', id, spec: {}, protect: false, retain: false };

type Given = Partial<Omit<Applied, 'change' | 'shown'>> & {
  readonly change?: Partial<Change>;
  readonly answer?: object;
};

/** The entry of a route of which nothing is known but what is given. */
function entry({ change, answer, ...more }: Given): Entry {
  const shown = answer === undefined ? undefined : fromWire(httpsEdgeRoute, answer).spec;
  const unknown = { parent: undefined, nonce: undefined, shown, previous: undefined };
  const nothing = { kind: httpsEdgeRoute, id, spec: {}, deposed: [], sent: {}, ...unknown };
  return entryOf({ ...nothing, uncleared: {}, ...more, change: planned(change) }, digest);
}

function planned(change: Partial<Change> = {}): Change {
  const usual = { protect: false, retain: false, unverified: [], unmanagedFields: {} };
  return { ...usual, ...change } as unknown as Change;
}

describe('state says all of a resource to which nothing is sent', () => {
  const place = { file: 'stack.yaml', line: 3, col: 1 };
  const marker = { s: 'prod/1', a: 'a', p: '', n: '0123' };
  const spec: SpecObject = { match: '/', policy: null, oidc: { client_secret: new Secret('s3cret') } };
  const given = { parent: 'edghts_1', spec, change: { place, marker } };
  const kept = entry(given);

  test.each<[string, boolean, Entry, Given]>([
    ['as before', true, kept, given],
    ['which has nothing but an id', true, before, {}],
    ['of another kind', false, { ...kept, kind: 'HTTPSEdge' }, given],
    ['which has another id', false, kept, { ...given, id: 'edghtsrt_2' }],
    ['in another parent', false, kept, { ...given, parent: 'edghts_2' }],
    ['which is protected', false, kept, { ...given, change: { place, marker, protect: true } }],
    ['which is retained', false, kept, { ...given, change: { place, marker, retain: true } }],
    ['with another nonce', false, kept, { ...given, change: { place, marker: { ...marker, n: '4567' } } }],
    ['without a marker', false, kept, { ...given, change: { place } }],
    ['on another line', false, kept, { ...given, change: { place: { ...place, line: 4 }, marker } }],
    ['of a patch', false, kept, { ...given, change: { place, marker, manifestPlace: { ...place, file: 'a.yaml' } } }],
    ['with a secret that is not verified', false, kept, { ...given, change: { place, marker, unverified: ['/oidc'] } }],
    ['with another secret', false, kept, { ...given, spec: { ...spec, oidc: { client_secret: new Secret('0ther') } } }],
    ['with another field', false, kept, { ...given, spec: { ...spec, description: '' } }],
    ['without a field', false, kept, { ...given, spec: { match: '/' } }],
    ['with its fields in another order', false, { ...kept, spec: { oidc: kept.spec['oidc']!, match: '/' } }, given],
    ['with its names in another order', false, (({ kind, ...rest }) => ({ ...rest, kind }))(kept), given],
    ['with something to carry over', false, { ...kept, deposed: ['edghtsrt_0'] }, given],
  ])('%s: %s', (_, isKnown, previous, { change, ...more }) => {
    const now = { kind: httpsEdgeRoute, id, parent: undefined, spec: {}, ...more, change: planned(change) };
    expect(isRecorded(previous, now, digest)).toBe(isKnown);
    if (isKnown)
      expect(JSON.stringify(entry({ ...more, change: change ?? {}, previous }))).toBe(JSON.stringify(previous));
  });
});

test('an entry has nothing of what is not known', () => {
  expect(entry({})).toStrictEqual(before);
});

test('an entry has the flags, the edge, the place in the manifest and what is still to be deleted', () => {
  const place = { file: 'stack.yaml', line: 3, col: 1 };
  expect(
    entry({ parent: 'edghts_1', deposed: ['edghtsrt_0'], change: { protect: true, retain: true, place } }),
  ).toStrictEqual({
    ...before,
    parent: 'edghts_1',
    protect: true,
    retain: true,
    deposed: ['edghtsrt_0'],
    source: 'stack.yaml:3',
  });
});

test('the place is that of the manifest, also where a patch placed the change', () => {
  const [place, manifestPlace] = ['patch.yaml', 'stack.yaml'].map((file) => ({ file, line: 3, col: 1 }));
  expect(entry({ change: { place: place!, manifestPlace: manifestPlace! } }).source).toBe('stack.yaml:3');
});

describe('the nonce', () => {
  const marker = (n: string) => ({ s: 'prod/1', a: 'a', p: '', n });

  test('is that of the marker, or the one that was drawn where the plan had none', () => {
    expect(entry({ nonce: 'drawn', change: { marker: marker('planned') } }).nonce).toBe('planned');
    expect(entry({ nonce: 'drawn', change: { marker: marker('') } }).nonce).toBe('drawn');
    expect(entry({ nonce: 'drawn' })).not.toHaveProperty('nonce');
  });

  test('of what was replaced stays known as ours, once, and that of the same resource does not', () => {
    const previous = { ...before, id: 'edghtsrt_0', nonce: 'old', formerNonces: ['older', 'old'] };
    expect(entry({ previous }).formerNonces).toEqual(['older', 'old']);
    expect(entry({ previous: { ...before, nonce: 'old' } })).not.toHaveProperty('formerNonces');
    expect(entry({ previous: { ...before, id: 'edghtsrt_0' } })).not.toHaveProperty('formerNonces');
  });
});

describe('a secret', () => {
  const oidc = (secret: string) => ({ oidc: { client_id: 'shop', client_secret: new Secret(secret) } });
  const shown = (secret: string) => ({ id, oidc: { client_id: 'shop', client_secret: secret } });

  test('that the service shows otherwise than it was written is remembered as what it shows, by its digest', () => {
    expect(entry({ spec: oidc('hunter2'), answer: shown('***') }).returnedSecrets).toEqual({
      '/oidc/client_secret': 'digest of ***',
    });
    expect(entry({ spec: oidc('hunter2'), answer: shown('hunter2') })).not.toHaveProperty('returnedSecrets');
    expect(entry({ answer: shown('***') })).not.toHaveProperty('returnedSecrets');
  });

  test('that was returned otherwise before is so still, where no response came', () => {
    const returnedSecrets = { '/oidc/client_secret': 'digest of ***' };
    expect(entry({ previous: { ...before, returnedSecrets } }).returnedSecrets).toEqual(returnedSecrets);
  });

  test('that could be compared with nothing is not remembered as applied, and the rest of its module is', () => {
    const unverified = ['/oidc/client_secret'];
    const { spec, unverifiedSecrets } = entry({ spec: oidc('hunter2'), change: { unverified } });
    expect({ spec, unverifiedSecrets }).toEqual({
      spec: { oidc: { client_id: 'shop' } },
      unverifiedSecrets: unverified,
    });
  });

  test('is found with its pointer in groups and in lists', () => {
    const spec = { a: [new Secret('x'), 'y'], b: { c: new Secret('z') }, d: null };
    expect(secretsIn(spec)).toEqual([
      { pointer: '/a/0', text: 'x' },
      { pointer: '/b/c', text: 'z' },
    ]);
  });
});

describe('a text that the service rewrites', () => {
  const answer = { id, description: 'Shop.' };
  const rewritten = { '/description': { sent: 'digest of Shop', shown: 'digest of Shop.' } };

  test('is remembered as it was sent and as it was shown, if a request of this run sent it', () => {
    const spec = { description: 'Shop' };
    expect(entry({ spec, answer, sent: spec }).rewrittenTexts).toEqual(rewritten);
    expect(entry({ spec, answer })).not.toHaveProperty('rewrittenTexts');
  });

  test('is so still where no response came, and no longer once it is shown as it was sent', () => {
    const previous = { ...before, rewrittenTexts: rewritten };
    expect(entry({ previous }).rewrittenTexts).toEqual(rewritten);
    const spec = { description: 'Shop.' };
    expect(entry({ previous, spec, answer, sent: spec })).not.toHaveProperty('rewrittenTexts');
  });
});

describe('a text that the service did not clear', () => {
  test('is remembered, also from before where the plan holds it still', () => {
    expect(entry({ uncleared: { '/description': 'left' } }).unclearedFields).toEqual({ '/description': 'left' });
    const previous = { ...before, unclearedFields: { '/description': 'left', '/metadata': '{}' } };
    expect(entry({ previous, change: { unmanagedFields: { '/description': 'not-cleared' } } }).unclearedFields).toEqual(
      {
        '/description': 'left',
      },
    );
  });

  test('is remembered by its digest where it came from outside', () => {
    const spec = { description: { secret: 'digest of left', from_env: 'NOTE' } };
    const previous = { ...before, spec };
    expect(entry({ previous, uncleared: { '/description': 'left' } }).unclearedFields).toEqual({
      '/description': { secret: 'digest of left', from_env: 'NOTE' },
    });
  });
});

test.each<[string, Entry | undefined, Entry, boolean]>([
  ['nothing was remembered', undefined, before, false],
  ['nothing is new', before, before, false],
  ['its line is new', { ...before, source: 'a.yaml:1' }, { ...before, source: 'a.yaml:2' }, true],
  ['more than its line is new', { ...before, source: 'a:1' }, { ...before, source: 'a:2', protect: true }, false],
])('whether a resource has only moved in its file, where %s', (_, previous, next, isMoved) => {
  expect(isMoveOnly(previous, next)).toBe(isMoved);
});

describe('a limit that the service fills in', () => {
  const oidc = (more: SpecObject = {}): SpecObject => ({ oidc: { client_id: 'shop', ...more } });
  const answer = { id, oidc: { client_id: 'shop', maximum_duration: 1800, options_passthrough: true } };
  const filledIn = { '/oidc/maximum_duration': 1800 };

  test('is remembered as the answer shows it, if a request of this run left it out', () => {
    expect(entry({ spec: oidc(), answer, sent: oidc() }).filledIn).toEqual(filledIn);
    for (const given of [
      { spec: oidc(), answer },
      { spec: oidc({ maximum_duration: 60 }), answer, sent: oidc() },
      { spec: oidc(), answer: { id, oidc: { client_id: 'shop', maximum_duration: 0 } }, sent: oidc() },
    ])
      expect(entry(given)).not.toHaveProperty('filledIn');
  });

  test('is so still where no response came, and no longer once the module is gone', () => {
    const previous = { ...before, filledIn };
    expect(entry({ previous, spec: oidc() }).filledIn).toEqual(filledIn);
    expect(entry({ previous })).not.toHaveProperty('filledIn');
  });

  test('is none where it was applied before: the service may have kept it', () => {
    const previous = { ...before, spec: { oidc: { client_id: 'shop', maximum_duration: 1800 } } };
    expect(entry({ previous, spec: oidc(), answer, sent: oidc() })).not.toHaveProperty('filledIn');
  });
});
