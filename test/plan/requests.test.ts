import { describe, expect, test } from 'vitest';
import { Secret, type SpecObject } from '../../src/kinds/value.ts';
import {
  backend,
  idOf,
  ipRestriction,
  oauth,
  oidc,
  order,
  planOf,
  requests,
  saml,
  reported,
  type Given,
} from './support.ts';

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const address = 'HTTPSEdgeRoute/shop:/';
const path = `/edges/https/edghts_shop/routes/${idOf(address)}`;

// A route as it is and as it is wanted, and the requests between.
function between(before: SpecObject, after: SpecObject, more: Partial<Given> = {}): string[] {
  return requests(route(before, after, more));
}

function route(before: SpecObject, after: SpecObject, more: Partial<Given> = {}) {
  return planOf({ wanted: { ...edge, [address]: after }, ours: { ...edge, [address]: before }, ...more });
}

describe('the requests of an update', () => {
  test('only what changed, several modules in one', () => {
    expect(
      between({ ...backend, compression: {} }, { ...backend, compression: { enabled: false }, ...ipRestriction }),
    ).toEqual([`PATCH ${path} {"ip_restriction":{"ip_policy_ids":["ipp_office"]},"compression":{"enabled":false}}`]);
  });

  test('a module goes out whole', () => {
    const breaker = { circuit_breaker: { num_buckets: 5, rolling_window: 60 } };
    expect(between(breaker, { circuit_breaker: { num_buckets: 6, rolling_window: 60 } })).toEqual([
      `PATCH ${path} {"circuit_breaker":{"rolling_window":60,"num_buckets":6}}`,
    ]);
  });

  test('a module that goes is deleted by a request of its own', () => {
    expect(between({ ...backend, compression: {} }, backend)).toEqual([`DELETE ${path}/compression`]);
    expect(order(route({ ...backend, compression: {} }, { ...backend, description: 'plain' }))).toEqual([
      `${address} update`,
      `${address} unset compression <- ${address} update`,
    ]);
  });

  test('text that goes is sent empty, and so is a list', () => {
    const plan = planOf({
      wanted: { 'HTTPSEdge/shop': {} },
      ours: { 'HTTPSEdge/shop': { description: 'old', hostports: ['a.example.com:443'] } },
    });
    expect(requests(plan)).toEqual(['PATCH /edges/https/edghts_shop {"description":"","hostports":[]}']);
  });

  test('a group without a path of its own is sent as null', () => {
    const plan = planOf({
      wanted: { 'AgentIngress/a': { domain: 'a.example.com' } },
      ours: { 'AgentIngress/a': { domain: 'a.example.com', certificate_management_policy: { authority: 'ca' } } },
    });
    expect(requests(plan)).toEqual(['PATCH /agent_ingresses/agin_a {"certificate_management_policy":null}']);
  });

  test('metadata goes out with the marker beside it', () => {
    expect(between(backend, { ...backend, metadata: '{"team":"web"}' })).toEqual([
      `PATCH ${path} {"metadata":"{\\"team\\":\\"web\\"}"} +marker`,
    ]);
  });

  test('metadata that is no JSON object goes out alone', () => {
    expect(between(backend, { ...backend, metadata: 'plain' })).toEqual([`PATCH ${path} {"metadata":"plain"}`]);
  });

  test('a stack without markers takes them away', () => {
    const plan = planOf({ wanted: edge, ours: edge, markers: { 'HTTPSEdge/shop': {} }, marker: false });
    expect(requests(plan)).toEqual(['PATCH /edges/https/edghts_shop {"metadata":""}']);
  });
});

describe('the requests of a creation', () => {
  test('everything in one, what is unset left out', () => {
    const plan = planOf({ wanted: { ...edge, [address]: { ...backend, compression: null, oauth: null } }, ours: edge });
    expect(requests(plan)).toEqual([
      `POST /edges/https/edghts_shop/routes {"match_type":"path_prefix","match":"/","backend":{"backend_id":"bkd_app"}} +marker`,
    ]);
  });

  test('and a second one for what creation does not take', () => {
    const plan = planOf({ wanted: { 'ReservedAddr/db': { region: 'eu', endpoint_configuration_id: 'ec_1' } } });
    expect(requests(plan)).toEqual([
      'POST /reserved_addrs {"region":"eu"} +marker',
      'PATCH /reserved_addrs/{ReservedAddr/db} {"endpoint_configuration_id":"ec_1"}',
    ]);
    expect(order(plan)).toEqual([
      'ReservedAddr/db create',
      'ReservedAddr/db update sent after the resource is created <- ReservedAddr/db create',
    ]);
  });
});

test('forgetting takes our key out of the metadata', () => {
  const given = { ours: { 'HTTPSEdge/shop': { metadata: '{"team":"web"}' } } };
  const lifecycle = { 'HTTPSEdge/shop': { on_remove: 'retain' as const } };
  expect(requests(planOf({ ...given, lifecycle }))).toEqual([
    'PATCH /edges/https/edghts_shop {"metadata":"{\\"team\\":\\"web\\"}"}',
  ]);
  expect(requests(planOf({ ...given, lifecycle, profile: 'documented' }))).toEqual([]);
});

describe('a swap of what signs visitors in', () => {
  const modules = { oauth, oidc, saml };
  const pairs = Object.keys(modules).flatMap((from) =>
    Object.keys(modules).flatMap((into) => (from === into ? [] : [[from, into] as const])),
  );

  test.each(pairs)('from %s to %s: switched off and on in one request, then deleted', (from, into) => {
    const plan = route({ ...backend, ...modules[from as 'oauth'] }, { ...backend, ...modules[into as 'oauth'] });
    const [patch] = plan.steps;
    expect(Object.keys(patch?.request.body ?? {}).sort()).toEqual([from, into].sort());
    expect(patch?.request.body).toMatchObject({ [from]: { enabled: false } });
    expect(order(plan)).toEqual([`${address} update`, `${address} unset ${from} <- ${address} update`]);
    expect(requests(plan)[1]).toBe(`DELETE ${path}/${from}`);
  });

  test.each(pairs)('from %s to %s takes the edge along under documented', (from, into) => {
    const plan = route(
      { ...backend, ...modules[from as 'oauth'] },
      { ...backend, ...modules[into as 'oauth'] },
      { profile: 'documented' },
    );
    expect(requests(plan).map((line) => line.split(' ', 2).join(' '))).toEqual([
      'DELETE /edges/https/edghts_shop',
      'POST /edges/https',
      'POST /edges/https/{HTTPSEdge/shop}/routes',
    ]);
  });

  const { issuer, client_id } = oidc.oidc;
  test.each([
    ['masked', new Secret('********')],
    ['empty', null],
  ])('a secret that is read %s is sent as a placeholder', (_how, client_secret) => {
    const plan = route({ ...backend, oidc: { issuer, client_id, client_secret } }, { ...backend, ...saml });
    expect(plan.steps[0]?.request.body).toMatchObject({
      oidc: { issuer, client_id, client_secret: 'sluice-removed', enabled: false },
    });
  });

  test('a secret of a provider is one too', () => {
    const app = { client_id: 'app', client_secret: new Secret('****') };
    const plan = route({ ...backend, oauth: { provider: { github: app } } }, { ...backend, ...saml });
    expect(plan.steps[0]?.request.body).toMatchObject({
      oauth: { provider: { github: { client_id: 'app', client_secret: 'sluice-removed' } }, enabled: false },
    });
  });

  test('of one that is switched off already takes no such care', () => {
    const before = { ...backend, oauth: { ...oauth.oauth, enabled: false } };
    expect(between(before, { ...backend, ...saml })[0]).not.toContain('oauth');
  });
});

describe('what is held', () => {
  const ignoring = (...ignore: string[]) => ({ lifecycle: { [address]: { ignore } } });
  const signIn = (client_secret: Secret | null, more: SpecObject = {}) => ({
    ...backend,
    oidc: { issuer: 'https://id.example.com', client_id: 'app', client_secret, ...more },
  });

  test('goes out as it is there when its module is written for another reason', () => {
    const before = { circuit_breaker: { num_buckets: 5, error_threshold_percentage: 0.7, rolling_window: 30 } };
    const after = { circuit_breaker: { num_buckets: 6, rolling_window: 60 } };
    expect(between(before, after, { state: 'lost', ...ignoring('/circuit_breaker/rolling_window') })).toEqual([
      `PATCH ${path} {"circuit_breaker":{"rolling_window":30,"num_buckets":6,"error_threshold_percentage":0.7}}`,
    ]);
  });

  test('goes out as it is there when the resource is made anew', () => {
    const plan = planOf({
      wanted: { 'ReservedAddr/db': { region: 'eu', description: 'ours' } },
      ours: { 'ReservedAddr/db': { region: 'us', description: 'theirs' } },
      lifecycle: { 'ReservedAddr/db': { ignore: ['/description'], protect: false } },
    });
    expect(requests(plan)[0]).toBe('POST /reserved_addrs {"description":"theirs","region":"eu"} +marker');
  });

  test('is the value of the manifest when the resource is created', () => {
    const plan = planOf({
      wanted: { 'ReservedAddr/db': { description: 'ours' } },
      lifecycle: { 'ReservedAddr/db': { ignore: ['/description'] } },
    });
    expect(requests(plan)[0]).toBe('POST /reserved_addrs {"description":"ours"} +marker');
  });

  test('but a time that the service chose begins anew', () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj';
    const certificate = { public_key: key, ssh_certificate_authority_id: 'sshca_1' };
    const times = { valid_after: '2026-01-01T00:00:00Z', valid_until: '2027-01-01T00:00:00Z' };
    const plan = planOf({
      wanted: { 'SSHHostCertificate/a': { ...certificate, principals: ['a'] } },
      ours: { 'SSHHostCertificate/a': { ...certificate, ...times } },
    });
    expect(requests(plan)[0]).not.toContain('valid_');
  });

  test('a secret that can be read goes out as it is there', () => {
    const plan = route(
      signIn(new Secret('theirs')),
      signIn(null, { scopes: ['email'] }),
      ignoring('/oidc/client_secret'),
    );
    const sent = plan.steps[0]?.request.body?.['oidc'] as SpecObject;
    expect((sent['client_secret'] as Secret).reveal()).toBe('theirs');
  });

  test('one that cannot goes out as the manifest says', () => {
    const wanted = signIn(new Secret('ours'), { scopes: ['email'] });
    const plan = route(signIn(new Secret('****')), wanted, ignoring('/oidc/client_secret'));
    expect(((plan.steps[0]?.request.body?.['oidc'] as SpecObject)['client_secret'] as Secret).reveal()).toBe('ours');
    expect(reported(plan, 'error')).toEqual([]);
    expect(reported(plan, 'warning')).toEqual([
      expect.stringMatching(
        /^IGNORED_SECRET_SENT HTTPSEdgeRoute\/shop:\/: `oidc` .* \/oidc\/client_secret: the secret of the manifest overwrites that of the service/,
      ),
    ]);
  });

  test.each([
    ['masked', new Secret('****')],
    ['empty', null],
  ])('one that is read %s and not in the manifest is an error that names both', (_how, read) => {
    const plan = route(signIn(read), signIn(null, { scopes: ['email'] }), ignoring('/oidc/client_secret'));
    expect(reported(plan, 'error')).toEqual([
      expect.stringMatching(/^SECRET_UNAVAILABLE HTTPSEdgeRoute\/shop:\/: `oidc` .* \/oidc\/client_secret /),
    ]);
  });

  test('and so where the resource is made anew', () => {
    const plan = route(
      signIn(null),
      { ...signIn(null), compression: {} },
      { profile: 'documented', ...ignoring('/oidc') },
    );
    expect(reported(plan, 'error')).toEqual([expect.stringMatching(/^SECRET_UNAVAILABLE /)]);
  });

  test('but nobody asks for it where the module is not written', () => {
    const plan = route(signIn(null), { ...signIn(null), compression: {} }, ignoring('/oidc'));
    expect(reported(plan, 'error')).toEqual([]);
  });
});

describe('secrets that cannot be read', () => {
  const hook = (secret: string | null, more: SpecObject = {}) => ({
    ...backend,
    webhook_verification: { provider: 'github', secret: secret === null ? null : new Secret(secret), ...more },
  });

  test('of which nothing is remembered are no change but a warning', () => {
    const plan = route(hook(null), hook('s3cret'), { state: 'lost' });
    expect(requests(plan)).toEqual([]);
    expect(reported(plan)).toEqual([
      `UNVERIFIED_SECRET ${address}: the secret at /webhook_verification/secret cannot be read back, and state has no record of it`,
    ]);
    expect(plan.diagnostics[0]?.hint).toBe('run `sluice apply --resend-secrets` to send the secret again');
  });

  test('are written again when asked for', () => {
    const plan = route(hook('***'), hook('s3cret'), { state: 'lost', input: { resendSecrets: true } });
    expect(requests(plan)).toEqual([
      `PATCH ${path} {"webhook_verification":{"provider":"github","secret":"(secret)"}}`,
    ]);
    expect(reported(plan)).toEqual([]);
  });

  test('are verified where their module is written anyway', () => {
    const plan = route(hook(null), hook('s3cret', { enabled: false }), { state: 'lost' });
    expect(requests(plan)).toHaveLength(1);
    expect(reported(plan)).toEqual([]);
  });
});
