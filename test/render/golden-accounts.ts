import { readFileSync } from 'node:fs';
import type { EmulatorOptions } from '../../src/emulator/options.ts';

/** An account that shows one thing: what was applied, what somebody did by hand, and what the manifests say now. */
export interface GoldenAccount {
  /** What it shows; the name of its files. */
  readonly shows: string;
  readonly before?: string;
  /** Requests of somebody else, an address in braces for its id; `{last}` in `after` is the id of the last one made so. */
  readonly byHand?: readonly (readonly [method: string, path: string, body: object])[];
  readonly after: string;
  readonly profile?: NonNullable<EmulatorOptions['profile']>;
  /** Something is in the way of the plan: there is nothing to show but that. */
  readonly isInTheWay?: true;
  /** When it is planned, as RFC 3339. */
  readonly now?: string;
}

const data = (name: string): string =>
  readFileSync(new URL(`../generators/data/${name}`, import.meta.url), 'utf8').trim();
const [partners, couriers, bastion, gate] = [
  'partners-ca.pem',
  'couriers-ca.pem',
  'bastion-ed25519.pub',
  'gate-ecdsa.pub',
].map(data);

function resource(kind: string, name: string, spec: object, lifecycle?: object): string {
  return `${JSON.stringify({ apiVersion: 'sluice/v1', kind, metadata: { name }, ...(lifecycle === undefined ? {} : { lifecycle }), spec }, null, 2)}\n---\n`;
}

function shop(route: object, edge: object = {}, match = '/'): string {
  const routes = [{ match_type: 'path_prefix', match, backend: { backend_id: 'bkd_shop' }, ...route }];
  return resource('HTTPSEdge', 'shop', { hostports: ['shop.example.com:443'], ...edge, routes });
}

function adminRoute(modules: object): string {
  const spec = {
    edge_id: { ref: 'shop' },
    match_type: 'path_prefix',
    match: '/admin',
    backend: { backend_id: 'bkd_a' },
  };
  return resource('HTTPSEdgeRoute', 'admin', { ...spec, ...modules });
}

function saml(entity: string, host: string): object {
  const certificate = (partners ?? '').replace(/-----[^-]+-----/g, '').replace(/\s/g, '');
  const idp_metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entity}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://${host}/sso"/></IDPSSODescriptor></EntityDescriptor>`;
  return { saml: { idp_metadata } };
}

const google = (...email_domains: string[]): object => ({ oauth: { provider: { google: { email_domains } } } });
const github = (client_secret: string): object => ({
  oidc: { issuer: 'https://id.example.com', client_id: 'shop', client_secret },
});
const policy = (...lines: string[]): object => ({
  traffic_policy: { value: `on_http_request:\n${lines.map((line) => `  - ${line}\n`).join('')}` },
});
const rules = [
  'name: one',
  'name: two',
  'name: three',
  'name: four',
  'name: five',
  'name: six',
  'name: seven',
  'name: eight',
  'name: nine',
];
const address = (region: string, lifecycle?: object): string =>
  resource('ReservedAddr', 'mqtt', { region, description: 'Meters' }, lifecycle);
const ca = (ca_pem = ''): string => resource('CertificateAuthority', 'partners', { ca_pem });
const key = (public_key = '', principals = ['bastion.example.com']): string =>
  resource('SSHHostCertificate', 'bastion', { ssh_certificate_authority_id: 'sshca_1', public_key, principals });
const events = (...types: string[]): string =>
  resource('EventSubscription', 'audit', { sources: types.map((type) => ({ type })), destination_ids: ['ed_1'] });

const partnersAndEdge = (authority: string, extra: object): string =>
  resource('External', 'web', { type: 'backend', id: 'bkd_web' }) +
  resource('CertificateAuthority', 'partners', { ca_pem: authority }) +
  resource('HTTPSEdge', 'api', {
    hostports: ['api.example.com:443'],
    mutual_tls: { certificate_authority_ids: [{ ref: 'partners' }] },
    routes: [{ name: 'all', match_type: 'path_prefix', match: '/', backend: { backend_id: { ref: 'web' } }, ...extra }],
  });
const numbered = (modules: object): string =>
  resource('HTTPSEdge', 'shop', {
    hostports: ['shop.example.com:443'],
    routes: [10, 2, 1, 9].map((n) => ({
      name: `r${String(n)}`,
      match_type: 'path_prefix',
      match: `/r${String(n)}`,
      backend: { backend_id: 'bkd_shop' },
      ...modules,
    })),
  });
const manyRules = (...names: string[]): object => ({
  traffic_policy: {
    value: {
      on_http_request: names.map((name) => ({
        name,
        expressions: [`req.url.path.startsWith('/${name}')`],
        actions: [{ type: 'deny', config: { status_code: 403 } }],
      })),
      on_http_response: [{ name: 'headers', actions: [{ type: 'add-headers', config: { headers: { 'x-a': 'b' } } }] }],
    },
  },
});

/** The accounts whose plans are kept as they are printed. */
export const goldenAccounts: readonly GoldenAccount[] = [
  { shows: 'nothing-described', after: '' },
  { shows: 'an-edge-is-created', after: shop({}) },
  { shows: 'a-guarded-route-is-created', after: shop(google('example.com')) },
  { shows: 'all-is-as-it-should-be', before: shop({}), after: shop({}) },
  {
    shows: 'a-description-changes',
    before: shop({}, { description: 'Shop' }),
    after: shop({}, { description: 'Public shop' }),
  },
  {
    shows: 'a-field-drifted',
    before: shop({}, { description: 'Shop' }),
    byHand: [['PATCH', '/edges/https/{HTTPSEdge/shop}', { description: 'Changed by hand' }]],
    after: shop({}, { description: 'Shop' }),
  },
  {
    shows: 'changed-and-drifted',
    before: shop({}, { description: 'Shop' }),
    byHand: [['PATCH', '/edges/https/{HTTPSEdge/shop}', { description: 'Changed by hand' }]],
    after: shop({}, { description: 'Public shop' }),
  },
  { shows: 'many-routes-change-in-the-same-way', before: numbered({}), after: numbered({ compression: {} }) },
  {
    shows: 'two-that-refer-to-each-other-are-replaced',
    profile: 'documented',
    before: partnersAndEdge(partners ?? '', {}),
    after: partnersAndEdge(couriers ?? '', { description: 'All' }),
  },
  {
    shows: 'an-edge-goes-with-the-names-of-what-it-refers-to',
    before: partnersAndEdge(partners ?? '', {}),
    after: resource('External', 'web', { type: 'backend', id: 'bkd_web' }),
  },
  {
    shows: 'a-forgotten-moved-from',
    before: resource('HTTPSEdge', 'store', { hostports: ['shop.example.com:443'], description: 'Shop' }),
    after: resource('HTTPSEdge', 'market', { hostports: ['shop.example.com:443'], description: 'Public shop' }),
  },
  {
    shows: 'a-policy-gains-and-loses-rules',
    before: shop(manyRules('admin', 'staff', 'debug', 'metrics', 'legacy', 'old', 'health')),
    after: shop(manyRules('admin', 'staff', 'trace', 'metrics', 'legacy', 'old')),
  },
  {
    shows: 'a-policy-in-the-manifest-changes-by-a-rule',
    before: shop(policy(...rules)),
    after: `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_shop}
      traffic_policy:
        value: |
          # Nobody needs more than nine.
          on_http_request:
${rules
  .map(
    (rule, n) => `            - ${n === 4 ? 'name: changed' : rule}
`,
  )
  .join('')}`,
  },
  { shows: 'a-guard-is-removed', before: shop(google('example.com')), after: shop({}) },
  {
    shows: 'a-guard-is-widened',
    before: shop(google('example.com')),
    after: shop(google('example.com', 'example.org')),
  },
  { shows: 'a-guard-is-swapped', before: shop(google('example.com')), after: shop(github('hunter2')) },
  {
    shows: 'a-module-is-added',
    before: shop({}),
    after: shop({ compression: {}, request_headers: { add: { 'x-shop': '1' } } }),
  },
  { shows: 'a-secret-changes', before: shop(github('hunter2')), after: shop(github('correct horse')) },
  { shows: 'a-certificate-authority-is-rotated', before: ca(partners), after: ca(couriers) },
  {
    shows: 'a-region-cannot-change-in-place',
    before: address('eu', { protect: false }),
    after: address('us', { protect: false }),
  },
  { shows: 'a-protected-address-goes', before: address('eu'), after: '' },
  { shows: 'protection-is-given-up', before: address('eu'), after: address('eu', { protect: false }) },
  { shows: 'retained-is-forgotten', before: address('eu', { protect: false, on_remove: 'retain' }), after: '' },
  { shows: 'an-edge-goes-with-its-routes', before: shop(google('example.com')), after: '' },
  {
    shows: 'a-policy-differs-by-a-rule',
    before: shop(policy(...rules)),
    after: shop(policy(...rules.with(4, 'name: changed'))),
  },
  {
    shows: 'a-saml-provider-moves',
    before: shop(saml('https://idp.example.com', 'idp.example.com')),
    after: shop(saml('https://login.example.com', 'login.example.com')),
  },
  { shows: 'an-ssh-key-is-replaced', before: key(bastion), after: key(gate) },
  {
    shows: 'a-set-loses-and-gains',
    before: events('edge_updated.v0', 'edge_created.v0'),
    after: events('edge_updated.v0', 'edge_deleted.v0'),
  },
  {
    shows: 'metadata-differs-inside',
    before: shop(
      {},
      {
        metadata: {
          team: 'web',
          tier: 'one',
          owner: 'somebody with a name that is rather long',
          pager: 'nights-and-weekends',
        },
      },
    ),
    after: shop(
      {},
      {
        metadata: {
          team: 'web',
          tier: 'two',
          owner: 'somebody with a name that is rather long',
          pager: 'nights-and-weekends',
        },
      },
    ),
  },
  {
    shows: 'a-field-is-ignored',
    before: shop({}, { description: 'Shop' }),
    byHand: [['PATCH', '/edges/https/{HTTPSEdge/shop}', { description: 'Changed by hand' }]],
    after: shop({}, { description: 'Shop', hostports: ['shop.example.com:443', 'www.example.com:443'] }).replace(
      '"spec"',
      '"lifecycle": {"ignore": ["/description"]}, "spec"',
    ),
  },
  {
    shows: 'a-strangers-route',
    before: shop({}),
    byHand: [
      [
        'POST',
        '/edges/https/{HTTPSEdge/shop}/routes',
        { match_type: 'path_prefix', match: '/blog', backend: { backend_id: 'bkd_blog' } },
      ],
    ],
    after: shop({ compression: {} }),
  },
  {
    shows: 'an-edge-made-anew-where-nothing-is-updated',
    before: shop({}, { description: 'Shop' }),
    after: shop({}, { description: 'Public shop' }),
    profile: 'documented',
  },
  {
    shows: 'a-hostport-moves-between-edges',
    before: shop({}) + resource('HTTPSEdge', 'api', { hostports: ['api.example.com:443'] }),
    after:
      shop({}, { hostports: ['api.example.com:443'] }) +
      resource('HTTPSEdge', 'api', { hostports: ['shop.example.com:443'] }),
  },
  {
    shows: 'what-drifted-stands-apart',
    before:
      shop({ compression: {} }, { description: 'Shop' }) +
      resource('HTTPSEdge', 'api', { hostports: ['api.example.com:443'], description: 'API' }) +
      address('eu', { protect: false }) +
      resource('CertificateAuthority', 'partners', { ca_pem: partners, description: 'Partners' }),
    byHand: [
      ['PATCH', '/edges/https/{HTTPSEdge/shop}', { description: 'Changed by hand' }],
      ['PATCH', '/edges/https/{HTTPSEdge/api}', { description: 'Also by hand', hostports: ['old.example.com:443'] }],
      ['DELETE', '/reserved_addrs/{ReservedAddr/mqtt}', {}],
      ['PATCH', '/certificate_authorities/{CertificateAuthority/partners}', { metadata: '' }],
    ],
    after:
      shop({ compression: {} }, { description: 'Shop' }) +
      resource('HTTPSEdge', 'api', { hostports: ['api.example.com:443'], description: 'API of the shop' }) +
      address('eu', { protect: false }) +
      resource('CertificateAuthority', 'partners', { ca_pem: partners, description: 'Partners and couriers' }),
  },
  {
    shows: 'one-takes-the-name-that-another-leaves',
    before:
      shop({}) + resource('HTTPSEdge', 'store', { hostports: ['store.example.com:443'], description: 'The first' }),
    after:
      shop({})
        .replaceAll('"shop"', '"store"')
        .replace('"spec"', '"lifecycle": {"moved_from": "HTTPSEdge/shop"}, "spec"') +
      resource('HTTPSEdge', 'market', { hostports: ['store.example.com:443'] }, { moved_from: 'HTTPSEdge/store' }),
  },
  {
    shows: 'something-live-is-adopted',
    before: address('eu'),
    byHand: [['POST', '/edges/https', { hostports: ['shop.example.com:443'], description: 'Made by hand' }]],
    after:
      address('eu') +
      resource(
        'HTTPSEdge',
        'shop',
        { hostports: ['shop.example.com:443', 'www.example.com:443'], description: 'Shop' },
        { adopt: '{last}' },
      ),
  },
  {
    shows: 'what-is-kept-in-state-alone',
    before: shop({}),
    after: shop({}).replace('"spec"', '"lifecycle": {"protect": true, "on_remove": "retain"}, "spec"'),
    profile: 'documented',
  },
  {
    shows: 'a-hostport-is-given-up',
    before: shop({}, { hostports: ['shop.example.com:443', 'www.example.com:443'] }),
    after: shop({}),
  },
  {
    shows: 'a-guarded-route-goes-and-an-open-one-takes-its-requests',
    before: shop({}) + adminRoute(google('example.com')),
    after: shop({}),
  },
  { shows: 'a-backend-comes-to-an-open-route', before: shop({ backend: null }), after: shop({}) },
  {
    shows: 'an-ingress-goes',
    before: resource('AgentIngress', 'office', { domain: 'connect.example.com' }),
    after: '',
  },
  {
    shows: 'manifests-worth-a-warning',
    after:
      shop({}, { metadata: 'a text of its own' }) +
      resource('HTTPSEdgeRoute', 'cart', { edge_id: { ref: 'shop' }, match_type: 'exact_path', match: '/cart' }) +
      resource('HTTPSEdgeRoute', 'all', {
        edge_id: { ref: 'shop' },
        match_type: 'path_prefix',
        match: 'shop.example.com',
      }) +
      resource('HTTPSEdge', 'api', {
        hostports: ['api.example.com:443'],
        routes: [{ match_type: 'path_prefix', match: '/', ...github('hunter2') }],
      }),
  },
  { shows: 'a-certificate-ends-soon', before: ca(partners), after: ca(partners), now: '2036-11-01T09:00:00Z' },
  {
    shows: 'places-are-held-elsewhere',
    isInTheWay: true,
    byHand: [
      ['POST', '/edges/https', { hostports: ['shop.example.com:443'] }],
      ['POST', '/agent_ingresses', { domain: 'connect.example.com' }],
    ],
    after: shop({}) + resource('AgentIngress', 'office', { domain: 'connect.example.com' }),
  },
  {
    shows: 'hostile-text',
    before: shop({}, { description: 'Shop' }),
    after: shop(
      {},
      {
        description:
          '<img src=x onerror=alert(1)> @everyone #1 | `x` ``` \u001b[2J \u202e [a](http://evil.example) ![b](http://evil.example)',
      },
    ),
  },
];
