import { describe, expect, test } from 'vitest';
import { explain as explained } from '../../src/derive/explain/explain-kind.ts';
import { kinds } from '../../src/kinds/index.ts';
import type { Field } from '../../src/kinds/kind.ts';
import { directory, ran, sluice, type Ended } from './terminal.ts';

async function explain(what: string, flags = ''): Promise<Ended> {
  return sluice(await directory(), `explain ${what}${flags}`);
}

describe('sluice explain', () => {
  test.each(['PROTECTED', 'POLICY', 'MAX_DELETES', 'OPENS_ACCESS', 'UNMANAGED_CHILD'])(
    'reports what the code %s means, and what to do',
    async (code) => {
      const { out } = await explain(code);
      expect(out).toMatch(new RegExp(`^${code}\\n {2}\\S.*\\n(.*\\n)*\\nWhat to do:\\n {2}\\S`));
    },
  );

  test('reports what of a text is not compared, of a list and a mapping as well', async () => {
    const reported = async (field: string) => (await explain(field)).out.replaceAll(/\s+/g, ' ');
    expect(await reported('CertificateAuthority.ca_pem')).toContain(
      'ignored by sluice: differences in line breaks, and in the text around the certificate',
    );
    expect(await reported('HTTPSEdge.hostports')).toContain('ignored by sluice: differences in letter case');
    expect(await reported('HTTPSEdgeRoute.request_headers.add')).toContain(
      'ignored by sluice: differences in letter case, differences in leading and trailing white space',
    );
    expect(await reported('HTTPSEdgeRoute.oidc.client_secret')).not.toContain('ignored by sluice');
  });

  test('tells the fields of a kind, and needs no stack', async () => {
    const { code, out } = await explain('reserved-addr');
    expect(code).toBe(0);
    expect(out).toBe(`ReservedAddr
  A TCP address (hostname:port) that the service reserves for the account in one region.

Fields:
  description string; ignored by sluice: differences in leading and trailing white space, and in
      line breaks (LF or CRLF)
      Description of the resource, for people.
  metadata string (json); at most 4096 bytes; ignored by sluice: differences in the white space and
      key order of JSON
      Data about the resource, for programs; the service does not use it.
  region one of au, eu, ap, us, jp, in, sa; default: us; immutable: changing the field replaces the
      resource
      Region in which the address is reserved.
  endpoint_configuration_id id (endpoint_configuration); only with api.profile: completed, because
      the API reference does not describe the field
      Id of the endpoint configuration that applies at the address. sluice sets this field with an
      update after it creates the address.

Set by the service:
  id string
      Id of the resource.
  uri string
      URI of the resource in the API.
  created_at time (RFC 3339)
      When the resource was created.
  addr string
      The address (hostname:port), which the service assigns at creation.
`);
  });

  test.each([
    ['https-edge-route.webhook_verification', 'HTTPSEdgeRoute.webhook_verification module; access control: signature'],
    ['https-edge-route.webhook_verification.secret', 'secret'],
    ['HTTPSEdge.routes.circuit_breaker.num_buckets', '0 to 128'],
    ['httpsedge.mutual_tls.certificate_authority_ids', 'set of id (CertificateAuthority); required'],
    ['https-edge.routes', 'list of HTTPSEdgeRoute'],
    ['event-subscription.sources.type', 'string; required'],
    ['agent-ingress.domain', 'string (hostname); required; immutable: changing the field replaces the\n'],
    ['agent-ingress.certificate_management_policy.private_key_type', 'one of rsa, ecdsa; default: rsa'],
  ])('tells of %s: %s', async (what, reported) => {
    expect((await explain(what)).out).toContain(reported);
  });

  test.each([
    [
      'OPENS_ACCESS',
      'Requests need to satisfy less access control than before',
      'Restore the access control in the manifest',
    ],
    ['UNKNOWN_FIELD', 'The kind has no field of this name', 'Correct the name'],
    [
      'ACCESS_RULE_BROKEN',
      'A URL can be reached without the protection that an access rule requires.',
      'Add the access control that the rule requires',
    ],
  ])('reports what the code %s means, and what to do', async (code, meaning, remedy) => {
    const out = (await explain(code)).out.replaceAll(/\s+/g, ' ');
    expect(out).toContain(meaning);
    expect(out).toContain(`What to do: ${remedy}`);
    expect(JSON.parse((await explain(code, ' --format json')).out)).toMatchObject({ name: code });
  });

  test('takes the path of a field as a manifest has it', async () => {
    for (const what of ['External.spec.type', 'ModuleSet.spec.oauth', 'HTTPSEdge.spec.hostports'])
      expect((await explain(what)).code).toBe(0);
  });

  test('fits the terminal it is on', async () => {
    const terminal = { in: false, out: true, err: false, columns: 50 };
    const { out } = await sluice(await directory(), 'explain https-edge.routes.oauth --no-color', { terminal });
    expect(out.split('\n').filter((line) => line.length > 50)).toEqual([]);
  });

  test('tells the same as a document', async () => {
    const { fields } = JSON.parse((await explain('https-edge-route.oidc', ' --format json')).out) as {
      fields: object[];
    };
    expect(fields).toContainEqual({
      name: 'client_secret',
      type: 'string',
      doc: expect.any(String) as string,
      required: true,
      immutable: false,
      computed: false,
      secret: true,
      limits: [],
      since: 'described',
    });
  });

  test('knows every field of every kind', () => {
    for (const kind of kinds.all)
      for (const path of pathsOf(kind.fields))
        expect(explained(kind, path.split('.'), kinds)).not.toHaveProperty('unknown');
  });

  test.each([
    ['https-edg', 'did you mean HTTPSEdge?'],
    ['https-edge.hostport', 'did you mean hostports?'],
    ['https-edge.routes.oauht', 'did you mean oauth?'],
    ['sluice.yaml.constructor', 'sluice.yaml: unknown field "constructor"'],
    ['https-edge.description.deeper', 'HTTPSEdge.description: unknown field "deeper"'],
    ['oauth', 'did you mean HTTPSEdgeRoute.oauth?'],
    ['xyzzy', ', External, ModuleSet, metadata, lifecycle, values, sluice.yaml'],
    ['OPEN_ACCESS', 'did you mean OPENS_ACCESS?'],
    ['XYZZY_XYZZY', 'unknown code "XYZZY_XYZZY"'],
  ])('reports what was meant by %s', async (what, reported) => {
    const { code, err } = await explain(what);
    expect(code).toBe(8);
    expect(err).toContain(reported);
  });
});

function pathsOf(fields: Readonly<Record<string, Field>>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    name,
    ...(field.is === 'group' ? pathsOf(field.fields).map((inner) => `${name}.${inner}`) : []),
  ]);
}

test('what does not exist is quoted with its hidden characters written out once', async () => {
  const { code, err } = await ran(await directory(), ['explain', 'x\u001b"\\'], {});
  expect([code, err]).toEqual([8, expect.stringContaining(String.raw`unknown kind or code "x\u{1b}\"\\"`)]);
});
