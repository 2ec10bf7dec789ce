import { describe, expect, test } from 'vitest';
import { Ref } from '../../../src/kinds/value.ts';
import { graph, planOf, reported, to, type Given, type Specs } from '../support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const pem = (text: string) => ({ ca_pem: text });
const trusting = (...addresses: string[]) => ({
  ...shop,
  mutual_tls: { certificate_authority_ids: addresses.map(to) },
});
const trustingId = (id: string) => ({ ...shop, mutual_tls: { certificate_authority_ids: [id] } });
const [ops, other] = ['CertificateAuthority/ops', 'CertificateAuthority/other'];
const mutual: Specs = { [ops]: pem('A'), 'HTTPSEdge/shop': trusting(ops) };

describe('what is created', () => {
  test('waits for what its body refers to', () => {
    expect(graph(planOf({ wanted: mutual }))).toEqual([
      `${ops} create`,
      `HTTPSEdge/shop create <- ${ops} create (requires the id of ${ops})`,
    ]);
  });

  test('waits for what its path leads through', () => {
    const wanted = { 'HTTPSEdge/shop': shop, 'HTTPSEdgeRoute/shop:/': {} };
    expect(graph(planOf({ wanted }))).toEqual([
      'HTTPSEdge/shop create',
      'HTTPSEdgeRoute/shop:/ create <- HTTPSEdge/shop create (requires the id of HTTPSEdge/shop)',
    ]);
  });

  test('waits for the resource whose field it takes, unless that exists', () => {
    const named = { description: new Ref(ops, 'subject_common_name') };
    const wanted = { [ops]: pem('A'), 'ReservedAddr/a': named };
    expect(graph(planOf({ wanted }))).toEqual([
      `${ops} create`,
      `ReservedAddr/a create <- ${ops} create (requires \`subject_common_name\` of ${ops})`,
    ]);
    expect(graph(planOf({ wanted, ours: { [ops]: pem('A') } }))).toEqual(['ReservedAddr/a create']);
  });
});

describe('what is deleted', () => {
  test.each<{ what: string; wanted: Specs; released: string }>([
    { what: 'is deleted', wanted: {}, released: 'HTTPSEdge/shop delete' },
    {
      what: 'no longer has the module',
      wanted: { 'HTTPSEdge/shop': shop },
      released: 'HTTPSEdge/shop unset mutual_tls',
    },
    { what: 'refers to nothing', wanted: { 'HTTPSEdge/shop': trusting() }, released: 'HTTPSEdge/shop update' },
  ])('waits until what refers to it $what', ({ wanted, released }) => {
    expect(graph(planOf({ wanted, ours: mutual }))).toEqual([
      released,
      `${ops} delete <- ${released} (HTTPSEdge/shop still refers to the resource)`,
    ]);
  });

  test('waits until what refers to it refers to another, which waits for that', () => {
    const wanted = { [other]: pem('B'), 'HTTPSEdge/shop': trusting(other) };
    expect(graph(planOf({ wanted, ours: mutual }))).toEqual([
      `${other} create`,
      `HTTPSEdge/shop update <- ${other} create (requires the id of ${other})`,
      `${ops} delete <- HTTPSEdge/shop update (HTTPSEdge/shop still refers to the resource)`,
    ]);
  });

  test('waits for every resource that refers to it, and for no step that changes something else', () => {
    const blog = { hostports: ['blog.example.com:443'], mutual_tls: { certificate_authority_ids: [to(ops)] } };
    const wanted = {
      'HTTPSEdge/shop': { ...shop, description: 'the shop' },
      'HTTPSEdge/plain': { hostports: [], description: 'plain' },
    };
    const ours = { ...mutual, 'HTTPSEdge/blog': blog, 'HTTPSEdge/plain': { hostports: [] } };
    const steps = graph(planOf({ wanted, ours }));
    const [last] = steps.filter((line) => line.startsWith(`${ops} delete`));
    expect(last).toBe(
      `${ops} delete <- HTTPSEdge/blog delete (HTTPSEdge/blog still refers to the resource), ` +
        'HTTPSEdge/shop unset mutual_tls (HTTPSEdge/shop still refers to the resource)',
    );
  });

  test.each<{ what: string; mutual_tls: object; released: string }>([
    { what: 'taken away', mutual_tls: {}, released: 'HTTPSEdge/shop unset mutual_tls' },
    {
      what: 'updated',
      mutual_tls: { mutual_tls: { certificate_authority_ids: [] } },
      released: 'HTTPSEdge/shop update',
    },
  ])('waits for the step by which the field that refers to it is $what, not for another one', (given) => {
    const ours = { ...mutual, 'HTTPSEdge/shop': { ...trusting(ops), tls_termination: { min_version: '1.2' } } };
    const steps = graph(planOf({ wanted: { 'HTTPSEdge/shop': { ...shop, ...given.mutual_tls } }, ours }));
    expect(steps.map((line) => line.split(' <-')[0])).toContain('HTTPSEdge/shop unset tls_termination');
    expect(steps).toContain(`${ops} delete <- ${given.released} (HTTPSEdge/shop still refers to the resource)`);
  });

  test('does not wait for what never referred to it', () => {
    expect(graph(planOf({ wanted: mutual, ours: { ...mutual, [other]: pem('B') } }))).toEqual([`${other} delete`]);
  });

  test('takes along what is nested in it, and waits for none of that', () => {
    const ours = { 'HTTPSEdge/shop': shop, 'HTTPSEdgeRoute/shop:/': {} };
    expect(graph(planOf({ ours }))).toEqual(['HTTPSEdge/shop delete']);
  });
});

describe('what is deleted, and still referred to by what the run does not change,', () => {
  test('can be kept by a destroy, and the hint says how', () => {
    const given = { ours: { [ops]: pem('A') }, foreign: { 'HTTPSEdge/theirs': trusting(ops) } };
    const hints = (destroying: boolean) =>
      planOf({ ...given, input: { destroying } }).diagnostics.map(({ hint }) => hint);
    const first = 'first remove the reference from HTTPSEdge edghts_theirs';
    expect(hints(true)).toContain(`${first}, or keep ${ops}: set \`lifecycle.on_remove: retain\` and apply it`);
    expect(hints(false)).toContain(`${first}, or keep ${ops}`);
  });

  test.each<{ what: string; given: Given; errors: string[] }>([
    {
      what: 'a resource that is not a target',
      given: { ours: mutual, whole: false, input: { targets: [ops] } },
      errors: [
        `STILL_REFERENCED ${ops}: the plan deletes ca_ops, but \`mutual_tls\` of HTTPSEdge/shop, which this plan does not change, still refers to it`,
      ],
    },
    {
      what: 'a resource that is not a target, of a replacement',
      given: { wanted: { [ops]: pem('B') }, ours: mutual, whole: false, input: { targets: [ops] } },
      errors: [
        `STILL_REFERENCED ${ops}: the plan deletes ca_ops, but \`mutual_tls\` of HTTPSEdge/shop, which this plan does not change, still refers to it`,
      ],
    },
    {
      what: 'an ignored field',
      given: {
        wanted: { 'HTTPSEdge/shop': shop },
        ours: mutual,
        lifecycle: { 'HTTPSEdge/shop': { ignore: ['/mutual_tls'] } },
      },
      errors: [
        `STILL_REFERENCED ${ops}: the plan deletes ca_ops, but \`mutual_tls\` of HTTPSEdge/shop still refers to it`,
      ],
    },
    {
      what: 'a resource that the stack does not manage',
      given: { ours: { [ops]: pem('A') }, foreign: { 'HTTPSEdge/theirs': trusting(ops) } },
      errors: [
        `STILL_REFERENCED ${ops}: the plan deletes ca_ops, but \`mutual_tls\` of HTTPSEdge edghts_theirs, which this stack does not manage, still refers to it`,
      ],
    },
  ])('is an error: $what', ({ given, errors }) => {
    expect(reported(planOf(given), 'error')).toEqual(errors);
    expect(reported(planOf({ ...given, profile: 'documented' }), 'error')).not.toContain('STILL_REFERENCED');
  });

  describe('is an error where a manifest wants it by its id:', () => {
    const inside = { edge_id: 'edghts_shop' };
    const route = 'HTTPSEdgeRoute/edghts_shop:/';
    const others: Given = { ours: { 'HTTPSEdge/shop': shop, [route]: inside } };
    const message = (doing: string): string =>
      `STILL_REFERENCED ${route}: \`edge_id\` has the id of HTTPSEdge/shop, which the plan ${doing}`;

    test.each<[string, Given, string]>([
      [
        'the edge of a route is replaced',
        {
          ...others,
          profile: 'documented',
          wanted: { 'HTTPSEdge/shop': { ...shop, description: 'Shop' }, [route]: inside },
        },
        message('replaces'),
      ],
      ['the edge of a route is deleted', { ...others, wanted: { [route]: inside } }, message('deletes')],
      [
        'a new reference',
        { ours: { [ops]: pem('A'), 'HTTPSEdge/shop': shop }, wanted: { 'HTTPSEdge/shop': trustingId('ca_ops') } },
        `STILL_REFERENCED HTTPSEdge/shop: \`mutual_tls.certificate_authority_ids[0]\` has the id of ${ops}, which the plan deletes`,
      ],
      [
        'a reference of what is replaced itself',
        {
          profile: 'documented',
          ours: { [ops]: pem('A'), 'HTTPSEdge/shop': trustingId('ca_ops') },
          wanted: { 'HTTPSEdge/shop': { ...trustingId('ca_ops'), description: 'Shop' } },
        },
        `STILL_REFERENCED HTTPSEdge/shop: \`mutual_tls.certificate_authority_ids[0]\` has the id of ${ops}, which the plan deletes`,
      ],
    ])('%s', (_what, given, error) => {
      expect(reported(planOf(given), 'error')).toEqual([error]);
    });

    test('but not where a reference leads to both new ones', () => {
      const wanted = { [ops]: pem('B'), 'HTTPSEdge/shop': { ...trusting(ops), description: 'Shop' } };
      expect(reported(planOf({ profile: 'documented', ours: mutual, wanted }), 'error')).toEqual([]);
    });
  });

  test('is none where a nested resource is not managed', () => {
    const ours = { 'HTTPSEdge/shop': shop };
    expect(reported(planOf({ ours, foreign: { 'HTTPSEdgeRoute/shop:/': {} } }), 'error')).toEqual([]);
  });
});

test('what is replaced is referred to by its new id before the old one is deleted', () => {
  const wanted = { ...mutual, [ops]: pem('B') };
  expect(graph(planOf({ wanted, ours: mutual }))).toEqual([
    `${ops} create`,
    `HTTPSEdge/shop update <- ${ops} create (requires the id of ${ops})`,
    `${ops} delete <- ${ops} create (the replacement is created first), ` +
      'HTTPSEdge/shop update (HTTPSEdge/shop still refers to the resource)',
  ]);
});

test('what is only updated waits for nothing that refers to it', () => {
  const wanted = {
    [ops]: { ...pem('A'), description: 'signs' },
    [other]: pem('B'),
    'HTTPSEdge/shop': trusting(),
  };
  const ours = { ...mutual, [other]: pem('B'), 'CertificateAuthority/gone': pem('C') };
  expect(graph(planOf({ wanted, ours })).sort()).toEqual([
    'CertificateAuthority/gone delete',
    `${ops} update`,
    'HTTPSEdge/shop update',
  ]);
});
