import { describe, expect, test } from 'vitest';
import { Ref, type Secret } from '../../src/kinds/value.ts';
import { loadFiles, loadText, reportOf } from '../support/manifests.ts';

const api = `apiVersion: sluice/v1
kind: CertificateAuthority
metadata: {name: partners}
spec: {ca_pem: {from_file: ca.pem}}
---
apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: api}
spec:
  hostports: []
  mutual_tls: {certificate_authority_ids: [{ref: partners}, ca_literal]}
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: {ref: api-backend}}
      webhook_verification: {provider: github, secret: {from_env: HOOK}}
---
apiVersion: sluice/v1
kind: External
metadata: {name: api-backend}
spec: {type: backend, id: bkd_7}
`;

describe('references', () => {
  test('become addresses of resources, ids of externals, or stay the ids they are', async () => {
    const { resources } = await loadText(api, { env: { HOOK: 'k' } });
    const [, edge, route] = resources;
    expect(edge?.spec['mutual_tls']).toEqual({
      certificate_authority_ids: [new Ref('CertificateAuthority/partners'), 'ca_literal'],
    });
    expect(route?.spec['backend']).toEqual({ backend_id: 'bkd_7' });
    expect(route?.spec['edge_id']).toEqual(new Ref('HTTPSEdge/api'));
  });

  test('to what is not there, or is something else, are reported', async () => {
    const wrong = api
      .replace('{ref: partners}', '{ref: partner}')
      .replace('{ref: api-backend}', '{ref: partners}')
      .replace('{from_file: ca.pem}', '{ref: api-backend}');
    expect(await reportOf(wrong, { env: { HOOK: 'k' } })).toMatchInlineSnapshot(`
      "error[REFERENCE_NOT_ALLOWED] stack.yaml:4:8: {ref: NAME} is the id of a resource, and \`CertificateAuthority.spec.ca_pem\` is not an id
          4 | spec: {ca_pem: {ref: api-backend}}
            |        ^^^^^^
         hint: to use another field of the resource, write {ref: NAME, field: FIELD}

      error[UNKNOWN_REFERENCE] stack.yaml:11:44: no CertificateAuthority named \`partner\` is defined in the manifests
         11 |   mutual_tls: {certificate_authority_ids: [{ref: partner}, ca_literal]}
            |                                            ^^^^^^^^^^^^^^
         hint: did you mean \`partners\`? If the manifest of the resource was removed, remove the reference as well

      error[UNKNOWN_REFERENCE] stack.yaml:15:17: no External of type backend is named \`partners\`, but another kind has a resource with this name: CertificateAuthority
         15 |       backend: {backend_id: {ref: partners}}
            |                 ^^^^^^^^^^
         hint: add a manifest for the resource, or remove the reference
      "
    `);
    expect(await reportOf(api.replace('type: backend', 'type: ip_policy'), { env: { HOOK: 'k' } })).toContain(
      '`api-backend` is an External of type ip_policy; the field requires one of type backend',
    );
  });

  test('to what a targeted run does not read are left for the plan', async () => {
    const [, edge] = api.split('---\n');
    const stack = await loadText((edge ?? '').replace('{ref: api-backend}', 'bkd_7'), {
      whole: false,
      env: { HOOK: 'k' },
    });
    expect(stack.diagnostics).toEqual([]);
    expect(stack.resources[0]?.spec['mutual_tls']).toMatchObject({
      certificate_authority_ids: [new Ref('CertificateAuthority/partners'), 'ca_literal'],
    });
  });

  test('to a document that is itself broken are not reported on top', async () => {
    expect(
      await reportOf(api.replace('metadata: {name: partners}', 'metadata: {name: partners'), { env: { HOOK: 'k' } }),
    ).not.toContain('UNKNOWN_REFERENCE');
  });
});

describe('values from elsewhere', () => {
  test('come from the environment and from files beside the manifest, and remember where from when secret', async () => {
    const stack = await loadFiles(
      {
        'team/hooks.yaml': `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec:
  edge_id: edghts_1
  match_type: exact_path
  match: {from_env: SLUICE_VAR_MATCH}
  webhook_verification: {provider: {from_env: SLUICE_VAR_PROVIDER}, secret: {from_file: secrets/hook}}
`,
        'team/secrets/hook': 'hunter2\n',
      },
      { env: { SLUICE_VAR_MATCH: '/hook', SLUICE_VAR_PROVIDER: 'github' } },
    );
    const [route] = stack.resources;
    expect(stack.diagnostics).toEqual([]);
    expect(route?.address).toBe('HTTPSEdgeRoute/edghts_1:/hook');
    const { provider, secret } = route?.spec['webhook_verification'] as { provider: string; secret: Secret };
    expect(provider).toBe('github');
    expect(secret.reveal()).toBe('hunter2');
    expect(secret.origin).toEqual({ from_file: 'team/secrets/hook' });
  });

  test('that are missing are errors, or warnings for who only validates', async () => {
    const stack = await loadText(api.replace('{from_file: ca.pem}', '{from_env: CA}'), { missingValues: 'warning' });
    expect(stack.diagnostics.map(({ code, severity, place }) => `${severity} ${code} ${place?.line ?? 0}`)).toEqual([
      'warning ENV_NOT_SET 4',
      'warning ENV_NOT_SET 16',
    ]);
  });

  test.each<[string, string, 'error' | 'ignore', readonly string[]]>([
    ['a field that identifies the resource', '{from_env: MATCH}', 'error', ['ENV_NOT_SET']],
    [
      'a field that identifies the resource, in a plan from a snapshot',
      '{from_env: MATCH}',
      'ignore',
      ['EXTERNAL_VALUE_NOT_ALLOWED'],
    ],
    ['a field that is printed, in a plan from a snapshot', '{from_env: SLUICE_VAR_MATCH}', 'ignore', ['ENV_NOT_SET']],
    ['a file, in a plan from a snapshot', '{from_file: match.txt}', 'ignore', ['EXTERNAL_VALUE_NOT_ALLOWED']],
    ['another field, in a plan from a snapshot', '/', 'ignore', []],
  ])('that are missing are reported once: for %s', async (_, match, missingValues, codes) => {
    const text = `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
metadata: {name: root}
spec:
  edge_id: edghts_1
  match_type: exact_path
  match: ${match}
${match === '/' ? '  description: {from_env: NOTE}\n' : ''}`;
    const { diagnostics } = await loadText(text, { missingValues });
    expect(diagnostics.map(({ code }) => code)).toEqual(codes);
  });

  test('from variables outside the prefixes of the stack are warned about', async () => {
    const reported = await reportOf(api.replace('{from_file: ca.pem}', '{from_env: CA}'), {
      env: { HOOK: 'k', CA: 'x' },
      envPrefixes: ['CA', 'SLUICE_'],
    });
    expect(reported).toContain(
      'warning[ENV_NOT_ALLOWED] stack.yaml:16:48: `HTTPSEdgeRoute.spec.webhook_verification.secret`: the name of the environment variable HOOK does not begin with any',
    );
    expect(reported).not.toContain('CA begins');
  });

  test('that only a completed rule forbids are a warning where the profile trusts the description alone', async () => {
    const written = api.replace('{from_file: ca.pem}', 'nonsense');
    expect(await reportOf(written, { env: { HOOK: 'k' }, profile: 'documented' })).toMatch(
      /^warning\[INVALID_CA_CERTIFICATE\] .* not "nonsense" \(the service may refuse the request\)$/m,
    );
  });

  test('of a secret that is written out are warned about, without showing it', async () => {
    const reported = await reportOf(
      api.replace('{from_env: HOOK}', 'hunter2').replace('{from_file: ca.pem}', 'nonsense'),
    );
    expect(reported).toMatchInlineSnapshot(`
      "error[INVALID_CA_CERTIFICATE] stack.yaml:4:8: \`CertificateAuthority.spec.ca_pem\` must be exactly one PEM block of type CERTIFICATE (found none), not "nonsense"
          4 | spec: {ca_pem: nonsense}
            |        ^^^^^^

      warning[SECRET_IN_MANIFEST] stack.yaml:16:48: \`HTTPSEdgeRoute.spec.webhook_verification.secret\` contains a secret in plain text, visible to everybody who reads the manifest
         16 |       webhook_verification: {provider: github, secret: …}
            |                                                ^^^^^^
         hint: use {from_env: NAME} or {from_file: path}
      "
    `);
  });

  test.each(['{hunter2}', '{hunter2: x}', '{from_env: HOOK, hunter2: 1}', '[hunter2]', '{template: {hunter2}}'])(
    'of a secret that is written as %s are refused, without showing it',
    async (written) => {
      const reported = await reportOf(
        api.replace('{from_env: HOOK}', written).replace('{from_file: ca.pem}', 'nonsense'),
      );
      expect(reported).toMatch(/HTTPSEdgeRoute\.spec\.webhook_verification\.secret/);
      expect(reported).not.toContain('hunter2');
    },
  );

  test.each(['{hunter2}', '{key: {hunter2}}', '[{hunter2: x}]'])(
    'of a field with a misspelled name, written as %s, are not shown either',
    async (written) => {
      const reported = await reportOf(api.replace('secret: {from_env: HOOK}', `secrett: ${written}`));
      expect(reported).toContain('secrett');
      expect(reported).not.toContain('hunter2');
    },
  );

  test('in a wrong form are reported', async () => {
    expect(
      await reportOf(`apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: a}
spec:
  description: {form_env: X}
  hostports: [{ref: x}, {from_env: 1}, {from_env: X, from_file: y}]
`),
    ).toMatchInlineSnapshot(`
      "error[INVALID_VALUE_SOURCE] stack.yaml:5:3: \`HTTPSEdge.spec.description\` must be a plain value, or a mapping with only one of \`from_env\`, \`from_file\`, \`var\`, \`template\`, \`output\`
          5 |   description: {form_env: …}
            |   ^^^^^^^^^^^
         hint: write {from_env: NAME}, with the name of an environment variable

      error[REFERENCE_NOT_ALLOWED] stack.yaml:6:15: {ref: NAME} is the id of a resource, and \`HTTPSEdge.spec.hostports[0]\` is not an id
          6 |   hostports: [{ref: x}, {from_env: 1}, {from_env: X, from_file: y}]
            |               ^^^^^^^^
         hint: to use another field of the resource, write {ref: NAME, field: FIELD}

      error[INVALID_VALUE_SOURCE] stack.yaml:6:25: \`HTTPSEdge.spec.hostports[1]\` must be a plain value, or a mapping with only one of \`from_env\`, \`from_file\`, \`var\`, \`template\`, \`output\`
          6 |   hostports: [{ref: x}, {from_env: 1}, {from_env: X, from_file: y}]
            |                         ^^^^^^^^^^^^^

      error[INVALID_VALUE_SOURCE] stack.yaml:6:40: \`HTTPSEdge.spec.hostports[2]\` must be a plain value, or a mapping with only one of \`from_env\`, \`from_file\`, \`var\`, \`template\`, \`output\`
          6 |   hostports: [{ref: x}, {from_env: 1}, {from_env: X, from_file: y}]
            |                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^
      "
    `);
  });
});

describe('a secret stays out of every message', () => {
  test.each([
    ['under a misspelt key', 'webhook_verification: {provider: github, secrt: hunter2}'],
    ['under a misspelt module', 'webhook_verfication: {provider: github, secret: hunter2}'],
    ['beside a syntax error', 'webhook_verification: {provider: github, secret: "hunter2}'],
    ['beside another problem in its line', 'webhook_verification: {provder: github, secret: hunter2}'],
    ['in a comment', 'webhook_verification: {provder: github} # was hunter2'],
    [
      'in an anchor, an alias, a tag or a directive',
      'webhook_verification: {secret: &hunter2 !hunter2 x, b: *hunter2}',
    ],
    ['as a key that is no text', 'webhook_verification: {[hunter2]: x}'],
    ['where a mapping should be', 'webhook_verification: hunter2'],
    ['where a list should be', 'oauth: {provider: {google: {client_secret: [hunter2]}}}'],
    [
      'in several lines',
      'webhook_verification:\n        provder: github\n        secret: |\n          hunter2\n          hunter2',
    ],
    ['in mapped metadata', 'metadata: {sluice: x, password: hunter2}'],
    [
      'as the name of a variable that cannot be one',
      'webhook_verification: {provider: github, secret: {from_env: {x: hunter2}}}',
    ],
  ])('%s', async (_where, line) => {
    const reported = await reportOf(
      api
        .replace('webhook_verification: {provider: github, secret: {from_env: HOOK}}', line)
        .replace('{from_file: ca.pem}', '{from_env: CA}'),
      { env: { CA: 'hunter2' } },
    );
    expect(reported).toMatch(/(error|warning)\[/);
    expect(reported).not.toContain('hunter2');
  });
});

test('values that come to more than one run reads are refused, however few files they come from', async () => {
  const fields = Array.from(
    { length: 130 },
    (_, n) => `apiVersion: sluice/v1
kind: HTTPSEdgeRoute
spec:
  {edge_id: edghts_1, match_type: path_prefix, match: /${String(n)}, traffic_policy: {value: {from_env: POLICY}}}
`,
  );
  const reported = await reportOf(fields.join('---\n'), { env: { POLICY: 'x'.repeat(500_000) } });
  expect(reported).toContain('TOO_LARGE');
  expect(reported).toContain('values from files and environment variables exceed 64000000 characters in total');
});
