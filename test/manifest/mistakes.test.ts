import { expect, test } from 'vitest';
import { diagnosticsText } from '../../src/render/diagnostics/diagnostics-text.ts';
import { loadText } from '../support/manifests.ts';

const edge = (spec: string, more = '') =>
  `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\n${more}spec:\n  ${spec.replaceAll('\n', '\n  ')}\n`;
const route = (fields: string) =>
  edge(
    `hostports: [shop.example.com:443]\nroutes:\n  - match_type: path_prefix\n    match: /\n    ${fields.replaceAll('\n', '\n    ')}`,
  );
const ca = (spec: string) =>
  `apiVersion: sluice/v1\nkind: CertificateAuthority\nmetadata: {name: partners}\nspec: ${spec}\n`;
const addr = (spec: string, more = '') =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: mqtt}\n${more}spec: ${spec}\n`;

// What people who know Terraform or Kubernetes write at first.
const mistakes: readonly (readonly [string, string])[] = [
  // Levels
  ['lifecycle in spec', edge('lifecycle: {protect: true}')],
  ['protect in spec', addr('{region: eu, protect: true}')],
  ['protect at the top', addr('{region: eu}', 'protect: true\n')],
  ['protect in a route', route('protect: true')],
  ['metadata.description', edge('hostports: []').replace('{name: shop}', '{name: shop, description: Shop}')],
  [
    'spec fields at the top',
    'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nhostports: [a.example.com:443]\n',
  ],
  ['routes at the top', edge('hostports: []', 'routes: []\n')],
  ['name in spec', addr('{name: mqtt, region: eu}')],
  ['labels at the top', addr('{region: eu}', 'labels: {team: web}\n')],
  ['oauth on the edge', edge('oauth: {provider: {google: {}}}')],
  ['backend_id on the route', route('backend_id: bkd_1')],
  ['email_domains on oauth', route('oauth: {email_domains: [example.com]}')],
  ['certificate ids on the edge', edge('certificate_authority_ids: [{ref: partners}]')],
  ['min_version on the edge', edge('min_version: "1.2"')],
  ['hostports on a route', route('hostports: [a.example.com:443]')],
  ['module_sets on the edge', edge('module_sets: [sso]')],
  ['match in backend', route('backend: {backend_id: bkd_1, match: /a}')],
  ['a route without match_type', edge('hostports: []\nroutes: [{match: /, backend: {backend_id: bkd_1}}]')],
  ['the backend as its id', route('backend: bkd_1')],
  ['the provider as its name', route('oauth: {provider: github}')],
  ['an empty id', route('backend: {backend_id: ""}')],
  ['a former name without its kind', edge('hostports: []', 'lifecycle: {moved_from: market}\n')],
  ['protect in quotes', edge('hostports: []', 'lifecycle: {protect: "yes"}\n')],
  // Terraform
  ['prevent_destroy', edge('hostports: []', 'lifecycle: {prevent_destroy: true}\n')],
  ['ignore_changes', edge('hostports: []', 'lifecycle: {ignore_changes: [description]}\n')],
  ['create_before_destroy', edge('hostports: []', 'lifecycle: {create_before_destroy: true}\n')],
  ['depends_on', edge('depends_on: [a]')],
  ['count', addr('{region: eu}', 'count: 3\n')],
  ['for_each', edge('for_each: [a]')],
  ['import_id', addr('{region: eu}', 'import_id: ra_1\n')],
  ['ignore without a slash', edge('hostports: []', 'lifecycle: {ignore: [description]}\n')],
  ['ignore with spec', edge('hostports: []', 'lifecycle: {ignore: [/spec/description]}\n')],
  ['interpolation', addr('{region: "${var.region}"}')],
  ['a file by its path', ca('{ca_pem: files/ca.pem}')],
  ['file()', ca('{ca_pem: \'${file("files/ca.pem")}\'}')],
  ['file: in place of from_file', ca('{ca_pem: {file: files/ca.pem}}')],
  ['an address as reference', edge('mutual_tls: {certificate_authority_ids: [{ref: CertificateAuthority/partners}]}')],
  ['env in place of from_env', route('webhook_verification: {provider: github, secret: {env: TOKEN}}')],
  // Kubernetes
  ['namespace', edge('hostports: []').replace('{name: shop}', '{name: shop, namespace: web}')],
  ['annotations', edge('hostports: []').replace('{name: shop}', '{name: shop, annotations: {a: b}}')],
  ['status', edge('hostports: []', 'status: {}\n')],
  ['apiVersion v1', edge('hostports: []').replace('sluice/v1', 'v1')],
  ['no apiVersion', edge('hostports: []').replace('apiVersion: sluice/v1\n', '')],
  ['kind Ingress', edge('hostports: []').replace('HTTPSEdge', 'Ingress')],
  ['kind in lower case', edge('hostports: []').replace('HTTPSEdge', 'httpsedge')],
  ['kind HttpsEdge with a hyphen', edge('hostports: []').replace('HTTPSEdge', 'https-edge')],
  ['no kind', edge('hostports: []').replace('kind: HTTPSEdge\n', '')],
  ['a list instead of a mapping', '- just\n- a list\n'],
  ['capitals in a name', edge('hostports: []').replace('name: shop', 'name: My_Shop')],
  ['no name', edge('hostports: []').replace('{name: shop}', '{}')],
  ['a number as a label', edge('hostports: []').replace('{name: shop}', '{name: shop, labels: {tier: 1}}')],
  ['secretKeyRef', route('webhook_verification: {provider: github, secret: {secretKeyRef: {name: a, key: b}}}')],
  [
    'matchType',
    'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec:\n  routes:\n    - {matchType: path_prefix, match: /}\n',
  ],
  ['pathType Prefix', route('description: x').replace('path_prefix', 'Prefix')],
  // Values
  ['hostport without a port', edge('hostports: [shop.example.com]')],
  ['hostport with a scheme', edge('hostports: ["https://shop.example.com:443"]')],
  ['hostports as text', edge('hostports: shop.example.com:443')],
  ['a version as a number', edge('tls_termination: {min_version: 1.2}')],
  ['an unknown region', addr('{region: eu-west-1}')],
  ['routes as a mapping', edge('routes: {a: {match: /}}')],
  ['a boolean as text', route('compression: {enabled: "yes"}')],
  ['compression: true', route('compression: true')],
  ['no match_type', edge('routes:\n  - match: /\n')],
  ['a read-only field', addr('{addr: "1.tcp.example.com:1"}')],
  ['two providers', route('oauth: {provider: {google: {}, github: {}}}')],
  [
    'oauth and oidc',
    route(
      'oauth: {provider: {google: {}}}\noidc: {issuer: https://a.example.com, client_id: a, client_secret: {from_env: SLUICE_VAR_A}}',
    ),
  ],
  [
    'a reference to nothing',
    edge('mutual_tls: {certificate_authority_ids: [{ref: partnerz}]}') + '---\n' + ca('{ca_pem: x}'),
  ],
  ['a misspelt field', edge('hostprots: [shop.example.com:443]')],
  ['a duration with a unit', route('oauth: {provider: {google: {}}, maximum_duration: 30m}')],
  ['a number in quotes', route('circuit_breaker: {num_buckets: "10"}')],
  ['a percentage', route('circuit_breaker: {error_threshold_percentage: 50}')],
  ['a percentage with its sign', route('circuit_breaker: {error_threshold_percentage: 50%}')],
  ['a percentage with a decimal', route('circuit_breaker: {error_threshold_percentage: 33.3}')],
  ['headers as a list', route('response_headers: {add: ["X-A: 1"]}')],
  ['a space in a hostport', edge('hostports: [shop.example.com: 443]')],
  ['a module set as a reference', route('module_sets: [{ref: sso}]')],
  ['text after a quote', edge('description: "a" b')],
  // Syntax
  ['an open bracket', edge('hostports: [shop.example.com:443\nroutes: []')],
  ['an open brace', addr('{region: eu')],
  ['an open brace inside', edge('mutual_tls: {certificate_authority_ids: [a]\ndescription: x')],
  ['a bracket of the other kind', edge('hostports: [shop.example.com:443}\ndescription: x')],
  ['an open quote', edge('description: "Shop\nhostports: []')],
  ['a tab', edge('routes:\n\t- match: /')],
  ['indentation', 'apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata:\n  name: shop\n   labels: {}\n'],
  ['a key deeper than the keys above it', edge('hostports: []\n routes: []')],
  ['a key of an entry that is not below its first key', edge('routes:\n  - match_type: path_prefix\n   match: /')],
  [
    'an entry of a list that is not below the one before',
    edge('hostports:\n  - a.example.com:443\n - b.example.com:443'),
  ],
  ['an indented first line', 'apiVersion: sluice/v1\n kind: HTTPSEdge\n'],
  ['fields that are not below spec', edge('').replace(/spec.*/s, 'spec:\nhostports: []\n')],
  [
    'indentation after a text of several lines',
    edge('description: |\n  Shop\n    of all\nhostports: []\n  routes: []'),
  ],
  ['indentation in a second document', `${edge('hostports: []')}---\n${edge('hostports: []\n routes: []')}`],
  [
    'a non-breaking space in the indentation',
    edge('description: x\nhostports: []\nroutes: []').replace('  hostports', '\u00a0 hostports'),
  ],
  ['a colon in text', edge('description: Shop: the new one')],
  ['a template', edge('description: {{ .Values.name }}')],
  ['a key without a space', edge('description:Shop\nhostports: []')],
  ['an at sign', edge('description: @shop')],
  ['a tag', ca('{ca_pem: !file files/ca.pem}')],
  ['a key twice', edge('description: a\ndescription: b')],
  ['a merge key', edge('<<: {description: a}')],
];

test('each mistake gets a message that reports what to write, as listed in mistakes.txt', async () => {
  const found = await Promise.all(mistakes.map(async ([title, text]) => ({ title, ...(await loadText(text)) })));
  for (const { title, diagnostics } of found) expect([title, diagnostics.length > 0]).toEqual([title, true]);
  const texts = found.map(({ title, diagnostics }) => `### ${title}\n${diagnosticsText(diagnostics)}`);
  await expect(texts.join('\n')).toMatchFileSnapshot('mistakes.txt');
});

test('each message names what it is about, so that it is clear without the line', async () => {
  const named = /HTTPSEdge|ReservedAddr|CertificateAuthority|manifest|apiVersion|unknown kind|key|`[[{"]`/;
  for (const [title, text] of mistakes)
    for (const { code, message } of (await loadText(text)).diagnostics)
      if (!/SYNTAX|YAML/.test(code)) expect(`${title}: ${message}`).toMatch(named);
});

test('a broken line shows keys that are known, and nothing else', async () => {
  const { diagnostics } = await loadText(edge('description: [hunter2\npassword: hunter3'));
  expect(diagnosticsText(diagnostics)).toContain('  description: […');
  expect(diagnosticsText(diagnostics)).not.toMatch(/hunter|password/);
});
