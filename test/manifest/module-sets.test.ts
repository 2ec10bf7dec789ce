import { describe, expect, test } from 'vitest';
import { makeVariables } from '../../src/manifest/variables/variables.ts';
import { loadFiles, loadText, reportOf } from '../support/manifests.ts';

const sets = `apiVersion: sluice/v1
kind: ModuleSet
metadata: {name: sso}
spec:
  oauth: {provider: {google: {email_domains: [example.com]}}}
---
apiVersion: sluice/v1
kind: ModuleSet
metadata: {name: hardening}
spec:
  compression: {}
  response_headers: {remove: [server]}
---
apiVersion: sluice/v1
kind: ModuleSet
metadata: {name: branding}
spec:
  response_headers: {add: {x-made-by: us}}
`;

const route = (fields: string) => `${sets}---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec:
  edge_id: edghts_1
  match_type: path_prefix
  match: /
${fields}
`;

test.each(['', 'spec:\n', 'spec: null\n'])(
  'a module set without modules is an error, as in its schema: %j',
  async (spec) => {
    const reported = await reportOf(`apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: sso}\n${spec}`);
    expect(reported).toContain('error[MISSING_FIELD] stack.yaml:1:1: `ModuleSet.spec` is required');
  },
);

describe('a route and its module sets', () => {
  test('has the modules of all of them beside its own, and their places', async () => {
    const { resources, diagnostics } = await loadText(
      route('  module_sets: [sso, hardening]\n  backend: {backend_id: b}'),
    );
    expect(diagnostics).toEqual([]);
    expect(Object.keys(resources[0]?.spec ?? {}).sort()).toEqual(
      ['edge_id', 'match_type', 'match', 'backend', 'oauth', 'compression', 'response_headers'].sort(),
    );
    expect(resources[0]?.places.of(['oauth', 'provider', 'google'])).toMatchObject({ line: 5, col: 22 });
    expect(resources[0]?.places.of(['backend', 'backend_id'])).toMatchObject({ line: 27, col: 13 });
  });

  test('wins with a module of its own, whole, and keeps one away with null', async () => {
    const { resources } = await loadText(
      route('  module_sets: [sso, hardening]\n  response_headers: {add: {a: b}}\n  compression: null'),
    );
    expect(resources[0]?.spec).toMatchObject({ response_headers: { add: { a: 'b' } } });
    expect(resources[0]?.spec['compression']).toBeUndefined();
  });

  test('wins with its own way of signing in, unless that is switched off', async () => {
    const oidc = 'oidc: {issuer: "https://i", client_id: c, client_secret: {from_env: S}';
    const own = await loadText(route(`  module_sets: [sso]\n  ${oidc}}`), { env: { S: 's' } });
    expect([own.resources[0]?.spec['oauth'], own.diagnostics]).toEqual([undefined, []]);
    const off = await loadText(route(`  module_sets: [sso]\n  ${oidc}, enabled: false}`), { env: { S: 's' } });
    expect(off.resources[0]?.spec['oauth']).toBeDefined();
    expect(off.diagnostics).toEqual([]);
  });

  test('keeps the sign-in of a set where a variable switches its own off', async () => {
    const oidc = 'oidc: {issuer: "https://i", client_id: c, client_secret: {from_env: S}, enabled: {var: own}}';
    const signIn = async (own: boolean): Promise<readonly string[]> => {
      const variables = makeVariables(new Map([['own', { type: 'boolean', value: own }]]), { apiKeys: [], others: [] });
      const { resources } = await loadText(route(`  module_sets: [sso]\n  ${oidc}`), { env: { S: 's' }, variables });
      return Object.keys(resources[0]?.spec ?? {}).filter((name) => name === 'oauth');
    };
    expect([await signIn(true), await signIn(false)]).toEqual([[], ['oauth']]);
  });

  test('must decide between two that name different files by the same path', async () => {
    const set = (name: string): string =>
      `apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: ${name}}\nspec: {traffic_policy: {value: {from_file: policy.yaml}}}\n`;
    const { diagnostics } = await loadFiles(
      {
        'a/set.yaml': set('a'),
        'a/policy.yaml': 'inbound: []\n',
        'b/set.yaml': set('b'),
        'b/policy.yaml': 'outbound: []\n',
        'route.yaml': route('  module_sets: [a, b]'),
      },
      { inputs: ['a/set.yaml', 'b/set.yaml', 'route.yaml'] },
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['CONFLICTING_MODULE_SETS']);
  });

  test('takes one file that two directories name', async () => {
    const set = (name: string): string =>
      `apiVersion: sluice/v1\nkind: ModuleSet\nmetadata: {name: ${name}}\nspec: {traffic_policy: {value: {from_file: ../policy.yaml}}}\n`;
    const { diagnostics } = await loadFiles(
      {
        'policy.yaml': 'inbound: []\n',
        'a/set.yaml': set('a'),
        'b/set.yaml': set('b'),
        'route.yaml': route('  module_sets: [a, b]'),
      },
      { inputs: ['a/set.yaml', 'b/set.yaml', 'route.yaml'] },
    );
    expect(diagnostics).toEqual([]);
  });

  test('must decide between two that bring one module with different content', async () => {
    expect(await reportOf(route('  module_sets: [hardening, branding]'))).toMatchInlineSnapshot(`
      "error[CONFLICTING_MODULE_SETS] stack.yaml:26:28: the module sets \`hardening\` and \`branding\` define different content for \`response_headers\`
         26 |   module_sets: [hardening, branding]
            |                            ^^^^^^^^
         stack.yaml:12:3: defined in the module set \`hardening\`
         12 |   response_headers: {remove: [server]}
            |   ^^^^^^^^^^^^^^^^
         stack.yaml:18:3: defined in the module set \`branding\`
         18 |   response_headers: {add: {x-made-by: us}}
            |   ^^^^^^^^^^^^^^^^
         hint: set \`response_headers\` in this resource to override both module sets
      "
    `);
    expect(await reportOf(route('  module_sets: [hardening, branding]\n  response_headers: {remove: [x]}'))).toBe('');
  });

  test('names sets that are there', async () => {
    expect(await reportOf(route('  module_sets: [ssso]'))).toMatchInlineSnapshot(`
      "error[UNKNOWN_MODULE_SET] stack.yaml:26:17: unknown module set \`ssso\`
         26 |   module_sets: [ssso]
            |                 ^^^^
         hint: did you mean \`sso\`?
      "
    `);
    expect(await reportOf(route('  module_set: [sso]'))).toContain('did you mean `module_sets`?');
  });

  test('reports what is wrong in a set once, where it was written', async () => {
    const broken = route('  module_sets: [sso]').replace(
      'email_domains: [example.com]',
      'emial_domains: [example.com]',
    );
    expect(await reportOf(`${broken}---\n${broken.split('---\n')[3]?.replace('match: /', 'match: /b') ?? ''}`))
      .toMatchInlineSnapshot(`
        "error[UNKNOWN_FIELD] stack.yaml:5:31: unknown field \`emial_domains\` in ModuleSet.spec.oauth.provider.google
            5 |   oauth: {provider: {google: {emial_domains: […]}}}
              |                               ^^^^^^^^^^^^^
           hint: did you mean \`email_domains\`?
        "
      `);
    expect(await reportOf(sets.replace('compression: {}', 'compresion: {}'))).toContain('did you mean `compression`?');
  });
});

test('a module set that many routes take is bounded by what it adds to all of them', async () => {
  const headers = Array.from({ length: 500 }, (_, n) => `      x-header-${String(n)}: ${'v'.repeat(960)}`).join('\n');
  const large = `apiVersion: sluice/v1
kind: ModuleSet
metadata: {name: large}
spec:
  request_headers:
    add:
${headers}
`;
  const routes = Array.from(
    { length: 75 },
    (_, n) => `---
apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec: {edge_id: edghts_1, match_type: path_prefix, match: /${String(n)}, module_sets: [large], backend: {backend_id: b}}
`,
  );
  const { diagnostics, broken } = await loadText(large + routes.join(''));
  const [first] = diagnostics.filter(({ code }) => code === 'TOO_LARGE');
  expect(diagnostics.filter(({ code }) => code === 'TOO_LARGE')).toHaveLength(1);
  expect(first?.message).toContain('module sets add more than 1000000 values');
  expect(first?.place?.line).toBe(510 + 64 * 4);
  expect(broken?.size).toBe(11);
  expect((await loadText(large + routes.slice(0, 64).join(''))).diagnostics).toEqual([]);
});
