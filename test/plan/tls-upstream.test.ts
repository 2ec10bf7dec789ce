import { describe, expect, test } from 'vitest';
import type { Profile } from '../../src/kinds/kind.ts';
import type { SpecObject } from '../../src/kinds/value.ts';
import type { Plan } from '../../src/model/plan/plan.ts';
import { planStack } from '../../src/plan/plan.ts';
import { backend, hazards, inputOf, ipRestriction, oauth, type Specs } from './support.ts';

const modules: Readonly<Record<string, SpecObject>> = {
  ...oauth,
  webhook_verification: { provider: 'sns' },
  circuit_breaker: {},
  compression: {},
  request_headers: { remove: ['x-a'] },
  user_agent_filter: { deny: ['curl'] },
  traffic_policy: { value: '{}' },
};

/** The plan for an edge whose TLS ends where the service reports it to, and for its route. */
function planned(wanted: Specs, terminate_at: string, profile: Profile = 'completed'): Plan {
  const { account, ...input } = inputOf({ ours: edge, wanted, profile });
  const reported = [...account.ours].map(
    ([address, actual]) => [address, { ...actual, computed: { tls_termination: { terminate_at } } }] as const,
  );
  return planStack({ ...input, account: { ...account, ours: new Map(reported) } });
}

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };

/** What such a plan reports of the modules of both. */
function texts(onEdge: SpecObject, onRoute: SpecObject, terminate_at = 'upstream', profile: Profile = 'completed') {
  const wanted = {
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], ...onEdge },
    'HTTPSEdgeRoute/shop:/': { ...backend, ...onRoute },
  };
  return planned(wanted, terminate_at, profile)
    .diagnostics.filter(({ code }) => code === 'INVALID_COMBINATION')
    .map(({ severity, address, message }) => `${severity} ${address ?? ''}: ${message}`);
}

describe('where the service reports that TLS is terminated upstream', () => {
  test('a route may have a backend and an IP restriction', () => {
    expect(texts({ description: 'Shop' }, ipRestriction)).toEqual([]);
  });

  test.each(Object.entries(modules))('%s is an error, and a warning under documented', (name, module) => {
    const message = `HTTPSEdgeRoute/shop:/: \`${name}\` is not supported when \`terminate_at\` is \`upstream\``;
    expect(texts({}, { [name]: module })).toEqual([`error ${message}`]);
    expect(texts({}, { [name]: module }, 'upstream', 'documented')).toEqual([`warning ${message}`]);
    expect(texts({}, { [name]: module }, 'edge')).toEqual([]);
  });

  test('a new route exposes its backend at every URL, since nothing reads which path is requested', () => {
    const wanted = { ...edge, 'HTTPSEdgeRoute/shop:/app': backend };
    const exposed = (urls: string): string =>
      `EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/${urls} becomes public: anyone can reach it`;
    expect(hazards(planned(wanted, 'upstream'))).toEqual([exposed('…')]);
    expect(hazards(planned(wanted, 'edge'))).toEqual([exposed('app…')]);
  });

  test('the hint says where `terminate_at` is, since manifests do not contain it, and what to change', () => {
    const { diagnostics } = planned({ ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } }, 'upstream');
    expect(diagnostics.find(({ code }) => code === 'INVALID_COMBINATION')?.hint).toBe(
      'the live edge passes TLS through to the backend, so the module has no effect: set `terminate_at` of the live edge to `edge`, or remove `oauth` from the manifest',
    );
  });

  test('mutual TLS is an error', () => {
    expect(texts({ mutual_tls: { certificate_authority_ids: ['ca_a'] } }, {})).toEqual([
      'error HTTPSEdge/shop: `mutual_tls` is not supported when `terminate_at` is `upstream`',
    ]);
  });

  test('a TLS version is an error under both profiles: the API describes it', () => {
    for (const profile of ['completed', 'documented'] as const)
      expect(texts({ tls_termination: { min_version: '1.2' } }, {}, 'upstream', profile)).toEqual([
        'error HTTPSEdge/shop: `min_version` must be null when `terminate_at` is `upstream`',
      ]);
  });
});
