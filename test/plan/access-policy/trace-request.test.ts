import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { plannedRouting } from '../../../src/plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../../src/plan/decide-plan.ts';
import { routingIndex, httpRequest, requestText } from '../../../src/plan/access-policy/routing-index.ts';
import { traceRequest, type RequestTrace } from '../../../src/plan/access-policy/trace-request.ts';
import { backend, inputOf, ipRestriction, oauth, type Given, type Specs } from '../support.ts';

const edge = { hostports: ['shop.example.com:443', '*.example.com:8443'] };

function traced(given: Given, request: string, when: 'now' | 'planned' = 'now'): RequestTrace {
  const [method = '', url = ''] = request.split(' ');
  const parsed = httpRequest(method, url);
  if (parsed === undefined) throw new Error(`${request} is no request`);
  const routing = plannedRouting(decidePlan(inputOf(given)));
  return traceRequest(parsed, routingIndex(routing[when]), routing.named);
}

/** The answer and the route, in a line. */
function answered(ours: Specs, request: string): string {
  const { answer, reason, route } = traced({ ours, wanted: ours }, request);
  return `${route?.address ?? 'nothing'} ${answer}: ${reason}`;
}

describe('a request is answered with', () => {
  const named = { oauth: { provider: { github: { teams: ['acme/shop'] } }, options_passthrough: true } };
  const ours: Specs = {
    'HTTPSEdge/shop': edge,
    'HTTPSEdgeRoute/shop:/': backend,
    'HTTPSEdgeRoute/shop:/admin': { ...backend, ...named, ...ipRestriction },
    'HTTPSEdgeRoute/shop:/office': { ...backend, ...ipRestriction },
    'HTTPSEdgeRoute/shop:/new': { traffic_policy: { value: '{}' } },
    'HTTPSEdgeRoute/shop:/off': { backend: { backend_id: 'bkd_app', enabled: false } },
    'HTTPSEdgeRoute/shop:/agents': { ...backend, user_agent_filter: { deny: ['curl'] } },
  };

  test.each([
    ['GET https://shop.example.com/', 'HTTPSEdgeRoute/shop:/ passes: anyone can send the request'],
    ['GET https://SHOP.example.com', 'HTTPSEdgeRoute/shop:/ passes: anyone can send the request'],
    ['GET https://a.b.example.com:8443/x?y=/admin', 'HTTPSEdgeRoute/shop:/ passes: anyone can send the request'],
    [
      'GET https://shop.example.com/admin',
      'HTTPSEdgeRoute/shop:/admin refused: requires IP restriction (ipp_office) and authentication (GitHub accounts: acme/shop, except OPTIONS requests)',
    ],
    [
      'OPTIONS https://shop.example.com/admin',
      'HTTPSEdgeRoute/shop:/admin depends: the result depends on ip_policy ipp_office',
    ],
    [
      'GET https://shop.example.com/office',
      'HTTPSEdgeRoute/shop:/office depends: the result depends on ip_policy ipp_office',
    ],
    ['GET https://shop.example.com/new', 'HTTPSEdgeRoute/shop:/new depends: the result depends on traffic_policy'],
    [
      'GET https://shop.example.com/agents',
      'HTTPSEdgeRoute/shop:/agents depends: the result depends on user_agent_filter',
    ],
    [
      'GET https://shop.example.com/off',
      'HTTPSEdgeRoute/shop:/off unreachable: HTTPSEdgeRoute/shop:/off has no enabled backend',
    ],
    ['GET https://www.example.com/', 'nothing unreachable: no edge of this stack has the hostport www.example.com:443'],
  ])('%s', (request, answer) => {
    expect(answered(ours, request)).toBe(answer);
  });

  test('ids replaced by the names of what the stack manages or names', () => {
    const ca = { 'CertificateAuthority/partners': {} };
    const protectedBy = (id: string) => ({
      'HTTPSEdge/shop': { ...edge, mutual_tls: { certificate_authority_ids: [id] } },
      'HTTPSEdgeRoute/shop:/': backend,
    });
    const stack = { ...ca, ...protectedBy('ca_partners') };
    const desired = { ...inputOf({ wanted: stack }).desired, externals: { bkd_app: 'External/app' } };
    const { reason, modules } = traced({ ours: stack, input: { desired } }, 'GET https://shop.example.com/');
    expect([reason, ...modules.map(({ text }) => text)]).toEqual([
      'requires mutual TLS (CertificateAuthority/partners)',
      'mutual TLS (CertificateAuthority/partners)',
      'External/app',
    ]);
  });

  test('no route, where the edge has none for it', () => {
    expect(
      answered({ 'HTTPSEdge/shop': edge, 'HTTPSEdgeRoute/shop:/a': backend }, 'GET https://shop.example.com/b'),
    ).toBe('nothing unreachable: no route of HTTPSEdge/shop matches the request');
  });

  test('what the plan makes of it', () => {
    const given = {
      ours: { 'HTTPSEdge/shop': edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } },
      wanted: {
        'HTTPSEdge/shop': edge,
        'HTTPSEdgeRoute/shop:/': backend,
        'HTTPSEdgeRoute/shop:/a': { ...backend, ...oauth },
      },
    };
    expect(traced(given, 'GET https://shop.example.com/').answer).toBe('refused');
    expect(traced(given, 'GET https://shop.example.com/', 'planned').answer).toBe('passes');
    expect(traced(given, 'GET https://shop.example.com/a', 'planned').requires).toEqual(['authentication']);
  });

  test('the modules on its way, those of the edge first', () => {
    const mutual = { ...edge, mutual_tls: { certificate_authority_ids: ['ca_partners'] } };
    const specs = {
      'HTTPSEdge/shop': mutual,
      'HTTPSEdgeRoute/shop:/': {
        ...backend,
        saml: { idp_metadata: '<E/>', enabled: false },
        ip_restriction: { ip_policy_ids: [] },
        user_agent_filter: { deny: ['curl'] },
      },
    };
    const { modules } = traced({ ours: specs, wanted: specs }, 'GET https://shop.example.com/');
    expect(modules.map(({ address, name, effect, text }) => `${address} ${name} ${effect} ${text}`)).toEqual([
      'HTTPSEdge/shop mutual_tls requires mutual TLS (ca_partners)',
      'HTTPSEdgeRoute/shop:/ ip_restriction inactive the module requires nothing',
      'HTTPSEdgeRoute/shop:/ saml inactive disabled',
      'HTTPSEdgeRoute/shop:/ user_agent_filter filters user agent filter',
      'HTTPSEdgeRoute/shop:/ backend reaches bkd_app',
    ]);
  });
});

describe('a request is read', () => {
  test.each([
    ['GET https://Shop.Example.com/a/../B%2f?x#y', 'GET https://shop.example.com/a/../B%2f'],
    ['POST https://shop.example.com:8443', 'POST https://shop.example.com:8443/'],
  ])('%s', (written, read) => {
    const [method = '', url = ''] = written.split(' ');
    const request = httpRequest(method, url);
    expect(request === undefined ? undefined : requestText(request)).toBe(read);
  });

  test.each([
    'get https://a.example.com/',
    'GET http://a.example.com/',
    'GET https://a b/',
    'GET https://a:99999/',
    'GET https://u@a/',
  ])('as invalid: %s', (written) => {
    const [method = '', ...url] = written.split(' ');
    expect(httpRequest(method, url.join(' '))).toBeUndefined();
  });

  test('two readings of a match whose host is not documented: who is refused by one of them may pass', () => {
    const edge443 = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
    const ours = (route: SpecObject, open: SpecObject = {}): Specs => ({
      ...edge443,
      'HTTPSEdgeRoute/shop:shop.example.com:443/admin': route,
      'HTTPSEdgeRoute/shop:/': { ...backend, ...open },
    });
    const admin = 'HTTPSEdgeRoute/shop:shop.example.com:443/admin';
    const depends = `${admin} depends: the result depends on how the service interprets the \`match\` of ${admin}`;
    const request = 'GET https://shop.example.com/admin';
    expect(answered(ours({ ...backend, ...oauth }), request)).toBe(depends);
    expect(answered(ours({}), request)).toBe(depends);
    expect(answered(ours({ ...backend, ...oauth }, oauth), request)).toMatch(/ refused: requires authentication/);
  });
});
