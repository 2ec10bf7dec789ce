import { describe, expect, test } from 'vitest';
import type { ServedEndpoint } from '../../../src/kinds/served-endpoint.ts';
import { planWithEndpoints } from '../../../src/plan/plan-with-endpoints.ts';
import { inputOf, planOf, reported, type Given } from '../support.ts';

const shop = { 'HTTPSEdge/shop': { hostports: ['Shop.example.com:443'] } };
const byAgent: ServedEndpoint = {
  id: 'ep_agent',
  url: 'https://shop.example.com',
  hostport: 'shop.example.com:443',
  metadata: '',
};

describe('a place that is wanted anew', () => {
  test.each<[string, Given, string[]]>([
    [
      'that an agent serves is a conflict',
      { wanted: shop, served: [byAgent] },
      ['IN_USE_BY_AGENT HTTPSEdge/shop: shop.example.com:443 is already in use by an agent (endpoint ep_agent)'],
    ],
    [
      'that two agents serve is a conflict with the same one in every plan',
      { wanted: shop, served: [{ ...byAgent, id: 'ep_other' }, byAgent] },
      ['IN_USE_BY_AGENT HTTPSEdge/shop: shop.example.com:443 is already in use by an agent (endpoint ep_agent)'],
    ],
    [
      'that an agent serves is one for an edge that is there as well',
      { wanted: shop, ours: { 'HTTPSEdge/shop': { hostports: ['api.example.com:443'] } }, served: [byAgent] },
      ['IN_USE_BY_AGENT HTTPSEdge/shop: shop.example.com:443 is already in use by an agent (endpoint ep_agent)'],
    ],
    [
      'that an edge of another family serves is a conflict',
      { wanted: shop, served: [{ ...byAgent, server: 'edgtls_1' }] },
      [
        'ALREADY_EXISTS_UNMANAGED HTTPSEdge/shop: shop.example.com:443 is already in use by the edge edgtls_1, which this stack does not manage',
      ],
    ],
    [
      'that a foreign edge holds is reported once',
      {
        wanted: shop,
        foreign: { 'HTTPSEdge/theirs': { hostports: ['shop.example.com:443'] } },
        served: [{ ...byAgent, server: 'edghts_theirs' }],
      },
      [
        'ALREADY_EXISTS_UNMANAGED HTTPSEdge/shop: shop.example.com:443 is already used by HTTPSEdge edghts_theirs, which this stack does not manage',
      ],
    ],
    [
      'of an edge of another family that belongs to another stack',
      {
        wanted: shop,
        served: [
          {
            ...byAgent,
            server: 'edgtls_1',
            metadata: JSON.stringify({ sluice: { s: 'web/00000001', a: 'TLSEdge/x', p: '', n: 'n1' } }),
          },
        ],
      },
      [
        'ALREADY_EXISTS_UNMANAGED HTTPSEdge/shop: shop.example.com:443 is already in use by the edge edgtls_1, which belongs to the stack web/00000001',
      ],
    ],
    [
      'as the domain of an ingress, at whatever port an agent serves it',
      {
        wanted: { 'AgentIngress/office': { domain: 'Shop.example.com' } },
        served: [{ ...byAgent, hostport: 'shop.example.com:80' }],
      },
      ['IN_USE_BY_AGENT AgentIngress/office: shop.example.com is already in use by an agent (endpoint ep_agent)'],
    ],
    ['at another port is free', { wanted: shop, served: [{ ...byAgent, hostport: 'shop.example.com:80' }] }, []],
    [
      'that our own edge gives up is free',
      {
        wanted: { 'HTTPSEdge/shop': { hostports: [] }, 'HTTPSEdge/api': shop['HTTPSEdge/shop'] },
        ours: { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } },
        served: [{ ...byAgent, server: 'edghts_shop' }],
      },
      [],
    ],
    [
      'that is adopted along with its edge is free',
      {
        wanted: shop,
        foreign: { 'HTTPSEdge/theirs': { hostports: ['shop.example.com:443'] } },
        lifecycle: { 'HTTPSEdge/shop': { adopt: 'edghts_theirs' } },
        served: [{ ...byAgent, server: 'edghts_theirs' }],
      },
      [],
    ],
  ])('%s', (_what, given, expected) => {
    expect(reported(planOf(given), 'error')).toEqual(expected);
  });

  test('is a warning where the service is not trusted to refuse it', () => {
    const plan = planOf({ profile: 'documented', wanted: shop, served: [byAgent] });
    expect(reported(plan, 'error')).toEqual([]);
    expect(reported(plan, 'warning')).toHaveLength(1);
  });
});

describe('what is served is asked once', () => {
  const route = { 'HTTPSEdgeRoute/shop:/': { backend: { backend_id: 'bkd_a' } } };

  test.each<[string, Given, number]>([
    ['where a new hostport is claimed', { wanted: shop }, 1],
    ['where traffic would stop', { ours: shop }, 1],
    ['where an address would be lost', { ours: { 'ReservedAddr/db': {} } }, 1],
    ['and never where nothing changes', { ours: shop, wanted: shop }, 0],
    ['and never for what has nothing to do with it', { ours: shop, wanted: { ...shop, ...route } }, 0],
    ['and never twice', { wanted: shop, served: [] }, 0],
  ])('%s', async (_what, given, times) => {
    let asked = 0;
    await planWithEndpoints(inputOf(given), () => {
      asked += 1;
      return Promise.resolve([]);
    });
    expect(asked).toBe(times);
  });
});

describe('the same authority under another name', () => {
  const ca = { ca_pem: '-----BEGIN CERTIFICATE-----' };

  test.each<[string, Given, string[]]>([
    [
      'in the account is worth a note',
      { wanted: { 'CertificateAuthority/a': ca }, foreign: { 'CertificateAuthority/theirs': ca } },
      [
        'POSSIBLE_DUPLICATE CertificateAuthority/a: `ca_pem` has the same value as ca_theirs, which this stack does not manage',
      ],
    ],
    [
      'in the manifests is worth a note',
      { wanted: { 'CertificateAuthority/a': ca, 'CertificateAuthority/b': ca } },
      ['POSSIBLE_DUPLICATE CertificateAuthority/b: `ca_pem` has the same value as CertificateAuthority/a'],
    ],
    [
      'three times in the manifests is worth two notes, each with the first',
      { wanted: { 'CertificateAuthority/a': ca, 'CertificateAuthority/b': ca, 'CertificateAuthority/c': ca } },
      [
        'POSSIBLE_DUPLICATE CertificateAuthority/b: `ca_pem` has the same value as CertificateAuthority/a',
        'POSSIBLE_DUPLICATE CertificateAuthority/c: `ca_pem` has the same value as CertificateAuthority/a',
      ],
    ],
    [
      'is not reported again once ours is there',
      {
        wanted: { 'CertificateAuthority/a': ca },
        ours: { 'CertificateAuthority/a': ca },
        foreign: { 'CertificateAuthority/theirs': ca },
      },
      [],
    ],
  ])('%s', (_what, given, expected) => {
    expect(reported(planOf(given))).toEqual(expected);
  });
});
