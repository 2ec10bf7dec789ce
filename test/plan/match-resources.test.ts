import { describe, expect, test } from 'vitest';
import { planStack } from '../../src/plan/plan.ts';
import {
  backend,
  changeOf,
  changes,
  hazards,
  idOf,
  inputOf,
  oauth,
  planOf,
  requests,
  to,
  reported,
  type Given,
} from './support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const edge = { 'HTTPSEdge/shop': shop };

describe('routes of one edge', () => {
  const named = (name: string, match: string) => ({ [`HTTPSEdgeRoute/shop:${name}`]: { match, ...backend } });

  test.each<[string, Given, string[]]>([
    [
      'a name given to a route that had none is a change of the marker',
      { wanted: { ...edge, ...named('admin', '/admin') }, ours: { ...edge, 'HTTPSEdgeRoute/shop:/admin': backend } },
      ['~ HTTPSEdgeRoute/shop:admin marker'],
    ],
    [
      'a name changed without touching the match is a change of the marker',
      { wanted: { ...edge, ...named('staff', '/admin') }, ours: { ...edge, ...named('admin', '/admin') } },
      ['~ HTTPSEdgeRoute/shop:staff marker'],
    ],
    [
      'another match of a route with a name is an update',
      { wanted: { ...edge, ...named('admin', '/staff') }, ours: { ...edge, ...named('admin', '/admin') } },
      ['~ HTTPSEdgeRoute/shop:admin'],
    ],
    [
      'another match of a route without a name is another route',
      {
        wanted: { ...edge, 'HTTPSEdgeRoute/shop:/staff': backend },
        ours: { ...edge, 'HTTPSEdgeRoute/shop:/admin': backend },
      },
      ['- HTTPSEdgeRoute/shop:/admin', '+ HTTPSEdgeRoute/shop:/staff'],
    ],
    [
      'the address counts before the match',
      {
        wanted: { ...edge, ...named('a', '/b'), ...named('c', '/a') },
        ours: { ...edge, ...named('a', '/a'), ...named('b', '/b') },
      },
      ['~ HTTPSEdgeRoute/shop:a', '- HTTPSEdgeRoute/shop:b', '+ HTTPSEdgeRoute/shop:c'],
    ],
  ])('%s', (_what, given, expected) => {
    expect(changes(planOf(given))).toEqual(expected);
  });

  test('are paired by their match also where the run targets them', () => {
    const ours = { ...edge, 'HTTPSEdgeRoute/shop:/admin': backend };
    const plan = planOf({ wanted: named('admin', '/admin'), ours, whole: false });
    expect(changes(plan)).toEqual(['~ HTTPSEdgeRoute/shop:admin marker']);
  });

  test('are paired by their match also in an edge that is renamed', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/store': shop, 'HTTPSEdgeRoute/store:admin': { match: '/admin', ...backend } },
      ours: { ...edge, 'HTTPSEdgeRoute/shop:/admin': backend },
      lifecycle: { 'HTTPSEdge/store': { moved_from: 'HTTPSEdge/shop' } },
    });
    expect(changes(plan)).toEqual(['~ HTTPSEdge/store marker', '~ HTTPSEdgeRoute/store:admin marker']);
  });

  test('of an edge that has the former name of another do not move to that', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/store': shop, 'HTTPSEdgeRoute/store:/': backend, 'HTTPSEdge/shop': {} },
      ours: { 'HTTPSEdge/store': shop, 'HTTPSEdge/shop': {}, 'HTTPSEdgeRoute/shop:/': backend },
      state: { 'HTTPSEdge/store': { formerAddresses: ['HTTPSEdge/shop'] } },
    });
    expect(changes(plan)).toEqual(['- HTTPSEdgeRoute/shop:/', '+ HTTPSEdgeRoute/store:/']);
  });

  test('a match that stands in another edge pairs nothing', () => {
    const office = { 'HTTPSEdge/office': {} };
    const plan = planOf({
      wanted: { ...edge, ...office, 'HTTPSEdgeRoute/office:/': backend },
      ours: { ...edge, ...office, 'HTTPSEdgeRoute/shop:/': backend },
    });
    expect(changes(plan)).toEqual(['+ HTTPSEdgeRoute/office:/', '- HTTPSEdgeRoute/shop:/']);
  });
});

describe('moved_from', () => {
  test('gives a resource another address, with what is remembered of it', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/store': { ...shop, description: 'new' } },
      ours: { 'HTTPSEdge/shop': { ...shop, description: 'old' } },
      lifecycle: { 'HTTPSEdge/store': { moved_from: 'HTTPSEdge/shop' } },
    });
    expect(changes(plan)).toEqual(['~ HTTPSEdge/store']);
    expect(changeOf(plan, 'HTTPSEdge/store')).toMatchObject({
      movedFrom: 'HTTPSEdge/shop',
      id: 'edghts_shop',
      fields: [{ reason: 'changed' }],
    });
  });

  test('reports nothing once the new address is there', () => {
    const lifecycle = { 'HTTPSEdge/shop': { moved_from: 'HTTPSEdge/old' } };
    expect(changes(planOf({ wanted: edge, ours: edge, lifecycle }))).toEqual([]);
  });

  const at = (name: string) => ({ hostports: [`${name}.example.com:443`] });
  const [a, b, c] = [at('a'), at('b'), at('c')];
  const [atA, atB, atC] = ['HTTPSEdge/a', 'HTTPSEdge/b', 'HTTPSEdge/c'] as const;
  const moved = (from: Given['lifecycle']): Pick<Given, 'lifecycle'> => ({ lifecycle: from ?? {} });

  test.each<[string, Given, string[], string[]]>([
    [
      'a list follows it through all its names',
      { wanted: { [atC]: a }, ours: { [atA]: a }, ...moved({ [atC]: { moved_from: [atB, atA] } }) },
      [`~ ${atC} marker was ${atA}`],
      [],
    ],
    [
      'of a list, the latest that is there counts',
      { wanted: { [atC]: b }, ours: { [atA]: a, [atB]: b }, ...moved({ [atC]: { moved_from: [atB, atA] } }) },
      [`- ${atA}`, `~ ${atC} marker was ${atB}`],
      [],
    ],
    [
      'a chain moves from its end: one takes what the other leaves',
      {
        wanted: { [atB]: a, [atC]: b },
        ours: { [atA]: a, [atB]: b },
        ...moved({ [atB]: { moved_from: atA }, [atC]: { moved_from: atB } }),
      },
      [`~ ${atB} marker was ${atA}`, `~ ${atC} marker was ${atB}`],
      [],
    ],
    [
      'a chain that has moved is over',
      {
        wanted: { [atB]: a, [atC]: b },
        ours: { [atB]: a, [atC]: b },
        ...moved({ [atB]: { moved_from: atA }, [atC]: { moved_from: atB } }),
      },
      [],
      [],
    ],
    [
      'what is described as well stays',
      { wanted: { [atB]: b, [atC]: c }, ours: { [atB]: b }, ...moved({ [atC]: { moved_from: atB } }) },
      [`+ ${atC}`],
      [
        `MOVED_FROM_STILL_DEFINED ${atC}: ${atB} still has a manifest, so the resource does not move; apply creates a new resource`,
      ],
    ],
    [
      'what names nothing is created, with a warning',
      { wanted: { [atC]: c }, ours: {}, ...moved({ [atC]: { moved_from: atB } }) },
      [`+ ${atC}`],
      [
        `MOVED_FROM_UNKNOWN ${atC}: ${atB} cannot be found in the state or in the account; apply creates a new resource`,
      ],
    ],
    [
      'what state alone still knows is no nothing',
      { wanted: { [atC]: c }, ours: {}, state: { [atB]: {} }, ...moved({ [atC]: { moved_from: atB } }) },
      [`. ${atB}`, `+ ${atC}`],
      [],
    ],
    [
      'two cannot have been the same',
      {
        wanted: { [atB]: b, [atC]: c },
        ours: { [atA]: a },
        ...moved({ [atB]: { moved_from: atA }, [atC]: { moved_from: atA } }),
      },
      [`~ ${atB} was ${atA}`, `+ ${atC}`],
      [`DUPLICATE_MOVE ${atC}: ${atA} has already moved to ${atB}`],
    ],
    [
      'it works by the marker alone',
      { wanted: { [atC]: a }, ours: { [atA]: a }, state: 'lost', ...moved({ [atC]: { moved_from: atA } }) },
      [`~ ${atC} marker was ${atA}`],
      [],
    ],
    [
      'where no marker can be written, only state records it, without a request',
      {
        wanted: { [atC]: a },
        ours: { [atA]: a },
        profile: 'documented',
        ...moved({ [atC]: { moved_from: atA } }),
      },
      [`s ${atC} was ${atA}`],
      [
        `OWNERSHIP_IN_STATE_ONLY ${atC}: the ownership marker of ${atC} cannot be updated; only the state records that the resource moved from ${atA}`,
      ],
    ],
  ])('%s', (_what, given, expected, remarks) => {
    const plan = planOf(given);
    const was = (address: string): string => {
      const from = changeOf(plan, address).movedFrom;
      return from === undefined ? '' : ` was ${from}`;
    };
    expect(changes(plan).map((line) => line + was(line.split(' ')[1] ?? ''))).toEqual(expected);
    expect(reported(plan)).toEqual(remarks);
  });

  test('a chain broken off asks for the names in between', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/c': shop },
      ours: { 'HTTPSEdge/a': shop },
      lifecycle: { 'HTTPSEdge/c': { moved_from: 'HTTPSEdge/b' } },
    });
    expect(plan.diagnostics.map(({ hint }) => hint)).toContain(
      'if the former address is HTTPSEdge/a, set moved_from: [HTTPSEdge/b, HTTPSEdge/a]',
    );
  });

  test('its routes follow it, by their names as well as by their matches', () => {
    const plan = planOf({
      wanted: {
        'HTTPSEdge/store': shop,
        'HTTPSEdgeRoute/store:/': backend,
        'HTTPSEdgeRoute/store:cart': { match: '/basket', ...backend },
      },
      ours: { ...edge, 'HTTPSEdgeRoute/shop:/': backend, 'HTTPSEdgeRoute/shop:cart': { match: '/cart', ...backend } },
      lifecycle: { 'HTTPSEdge/store': { moved_from: 'HTTPSEdge/shop' } },
    });
    expect(changes(plan)).toEqual([
      '~ HTTPSEdge/store marker',
      '~ HTTPSEdgeRoute/store:/ marker',
      '~ HTTPSEdgeRoute/store:cart',
    ]);
    expect(reported(plan)).toEqual([]);
  });
});

describe('adopt', () => {
  const adopting = (id: string, more: Partial<Given> = {}): Given => ({
    wanted: edge,
    foreign: { 'HTTPSEdge/theirs': { ...shop, description: 'by hand' } },
    lifecycle: { 'HTTPSEdge/shop': { adopt: id } },
    ...more,
  });

  test('takes a resource over and makes it as written, in one request', () => {
    const plan = planOf(adopting('edghts_theirs'));
    expect(changes(plan)).toEqual(['> HTTPSEdge/shop']);
    expect(requests(plan)).toEqual(['PATCH /edges/https/edghts_theirs {"description":"","metadata":""} +marker']);
    expect(hazards(plan)).toEqual(['ADOPTS_EXISTING HTTPSEdge/shop: edghts_theirs becomes managed by this stack']);
    expect(reported(plan)).toEqual([]);
  });

  test('takes the resource with this id, of several of its kind', () => {
    const foreign = {
      'HTTPSEdge/first': {},
      'HTTPSEdge/theirs': { ...shop, description: 'by hand' },
      'HTTPSEdge/last': {},
    };
    expect(requests(planOf(adopting('edghts_theirs', { foreign })))).toEqual([
      'PATCH /edges/https/edghts_theirs {"description":"","metadata":""} +marker',
    ]);
  });

  test('of a whole account looks at each resource a few times, however many manifests adopt one', () => {
    const names = Array.from({ length: 400 }, (_, n) => `e${n}`);
    const input = inputOf({
      wanted: Object.fromEntries(names.map((name) => [`HTTPSEdge/${name}`, {}])),
      foreign: Object.fromEntries(names.map((name) => [`HTTPSEdge/theirs-${name}`, {}])),
      lifecycle: Object.fromEntries(names.map((name) => [`HTTPSEdge/${name}`, { adopt: `edghts_theirs-${name}` }])),
    });
    let looks = 0;
    const counted = input.account.foreign.map(({ id, ...actual }) => ({
      ...actual,
      get id() {
        looks += 1;
        return id;
      },
    }));
    const plan = planStack({ ...input, account: { ...input.account, foreign: counted } });
    expect(plan.changes.filter(({ action }) => action === 'adopt')).toHaveLength(names.length);
    expect(looks).toBeLessThan(50 * names.length);
  });

  test('a route inside our edge is no outsider any more', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } },
      ours: edge,
      foreign: { 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } },
      lifecycle: { 'HTTPSEdgeRoute/shop:/': { adopt: idOf('HTTPSEdgeRoute/shop:/') } },
    });
    expect(changes(plan)).toEqual(['> HTTPSEdgeRoute/shop:/']);
    expect(reported(plan)).toEqual([]);
  });

  test('reports nothing once it is ours', () => {
    const lifecycle = { 'HTTPSEdge/shop': { adopt: 'edghts_shop' } };
    expect(planOf({ wanted: edge, ours: edge, lifecycle })).toMatchObject({ steps: [], diagnostics: [] });
  });

  const marked = { 'HTTPSEdge/theirs': { s: 'staging/00000001' } };
  test.each<[string, Given, string]>([
    [
      'nothing',
      adopting('edghts_gone'),
      'ADOPT_NOT_FOUND HTTPSEdge/shop: cannot adopt edghts_gone: no HTTPSEdge has this id',
    ],
    [
      'what another stack has',
      adopting('edghts_theirs', { markers: marked }),
      'ADOPT_OWNED_BY_OTHER_STACK HTTPSEdge/shop: edghts_theirs belongs to the stack staging/00000001',
    ],
    [
      'what this stack has already',
      {
        ...adopting('edghts_old', { foreign: {} }),
        wanted: { ...edge, 'HTTPSEdge/old': {} },
        ours: { 'HTTPSEdge/old': {} },
      },
      'ADOPT_ALREADY_MANAGED HTTPSEdge/shop: edghts_old is already managed by this stack as HTTPSEdge/old',
    ],
    [
      'what would be made anew',
      {
        wanted: { 'ReservedAddr/db': { region: 'eu' } },
        foreign: { 'ReservedAddr/theirs': { region: 'us' } },
        lifecycle: { 'ReservedAddr/db': { adopt: 'ra_theirs', protect: false } },
      },
      'ADOPT_REQUIRES_REPLACEMENT ReservedAddr/db: `region` cannot be changed in place',
    ],
  ])('of %s is an error', (_what, given, message) => {
    expect(reported(planOf(given), 'error')[0]).toContain(message);
  });

  test('by two manifests is an error', () => {
    const plan = planOf({
      wanted: { ...edge, 'HTTPSEdge/store': {} },
      foreign: { 'HTTPSEdge/theirs': shop },
      lifecycle: { 'HTTPSEdge/shop': { adopt: 'edghts_theirs' }, 'HTTPSEdge/store': { adopt: 'edghts_theirs' } },
    });
    expect(reported(plan, 'error')).toEqual([
      'DUPLICATE_ADOPTION HTTPSEdge/store: edghts_theirs is also adopted by the manifest of HTTPSEdge/shop',
    ]);
  });

  test('from another stack is allowed where it is named', () => {
    const lifecycle = { 'HTTPSEdge/shop': { adopt: 'edghts_theirs', adopt_from: '00000001' } };
    expect(changes(planOf({ ...adopting('edghts_theirs', { markers: marked }), lifecycle }))).toEqual([
      '> HTTPSEdge/shop',
    ]);
  });

  test('from another stack reports which one loses it, and that its protection ends', () => {
    const plan = planOf({
      wanted: { 'ReservedAddr/db': { region: 'eu' } },
      foreign: { 'ReservedAddr/theirs': { region: 'eu' } },
      markers: { 'ReservedAddr/theirs': { s: 'staging/00000001', p: 'p' } },
      lifecycle: {
        'ReservedAddr/db': { adopt: idOf('ReservedAddr/theirs'), adopt_from: '00000001', protect: false },
      },
    });
    expect(hazards(plan)).toEqual([
      `ADOPTS_EXISTING ReservedAddr/db: ${idOf('ReservedAddr/theirs')} becomes managed by this stack, and is no longer managed by the stack staging/00000001, which protects the resource; this stack does not`,
    ]);
  });
});

test('a reference to something of this stack that is not there yet stays a reference', () => {
  const plan = planOf({
    wanted: {
      'CertificateAuthority/partners': { ca_pem: 'pem' },
      'HTTPSEdge/shop': { mutual_tls: { certificate_authority_ids: [to('CertificateAuthority/partners')] } },
    },
  });
  expect(requests(plan)[1]).toBe(
    'POST /edges/https {"mutual_tls":{"certificate_authority_ids":[{CertificateAuthority/partners}]}} +marker',
  );
});
