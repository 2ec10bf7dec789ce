import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Path } from '../../../src/kinds/value.ts';
import { type Block, misplacedField, writableNames } from '../../../src/manifest/check/misplaced-field.ts';

const writable = new Map(kinds.all.map((kind) => [kind, writableNames(kind.fields)]));
const allNames = [...new Set([...writable.values()].flat())];

function hintOf(
  key: string,
  kindName: string,
  block: Block = 'spec',
  isNested = false,
  path: Path = [],
): string | undefined {
  const kind = kinds.named(kindName);
  if (kind === undefined) throw new Error(kindName);
  return misplacedField(key, { block, path, kind, kinds, isNested }).hint;
}

describe('a field that is unknown where it is written', () => {
  test('is shown to be one of the only other kind that has it', () => {
    expect(hintOf('ca_pem', 'ReservedAddr')).toBe('`ca_pem` is a field of CertificateAuthority');
    expect(hintOf('sources', 'HTTPSEdge')).toBe('`sources` is a field of EventSubscription');
  });

  test('law: no hint names a kind that does not have it, nor one of several that do', () => {
    for (const kind of kinds.all)
      for (const key of allNames) {
        if (writable.get(kind)?.includes(key) === true) continue;
        const having = kinds.all.filter((other) => writable.get(other)?.includes(key) === true);
        const named = /is a field of (\w+)$/.exec(hintOf(key, kind.name) ?? '')?.[1];
        if (named !== undefined) expect(having.map(({ name }) => name)).toEqual([named]);
      }
  });

  test('is no hint to itself, where it is written in the right kind', () => {
    for (const kind of kinds.all)
      for (const key of writableNames(kind.fields))
        expect(hintOf(key, kind.name) ?? '').not.toBe(`\`${key}\` is a field of ${kind.name}`);
  });

  test('belongs nowhere, where the service computes it', () => {
    const computed = kinds.all.flatMap(({ fields }) =>
      Object.keys(fields).filter((key) => fields[key]?.lifecycle === 'computed' && !allNames.includes(key)),
    );
    expect(computed.length).toBeGreaterThan(0);
    for (const key of computed)
      for (const kind of kinds.all) expect(hintOf(key, kind.name) ?? '').not.toMatch(/belongs in|is a field of/);
  });
});

describe('the place of a field', () => {
  const beside = '`lifecycle`, beside `spec`';
  const top = 'at the top level of the manifest, beside `spec`';
  const cases: readonly (readonly [string, string, Block, boolean, Path, string | undefined])[] = [
    ['protect', 'HTTPSEdge', 'spec', false, [], beside],
    ['protect', 'HTTPSEdge', 'manifest', false, [], beside],
    ['protect', 'HTTPSEdge', 'metadata', false, [], beside],
    ['valid_for', 'HTTPSEdge', 'spec', false, [], beside],
    ['adopt', 'HTTPSEdgeRoute', 'spec', true, [], '`lifecycle` of the same entry'],
    ['adopt', 'HTTPSEdgeRoute', 'spec', false, [], beside],
    ['protect', 'HTTPSEdge', 'lifecycle', false, [], undefined],
    ['kind', 'HTTPSEdge', 'spec', false, [], top],
    ['spec', 'HTTPSEdge', 'lifecycle', false, [], top],
    ['lifecycle', 'HTTPSEdge', 'metadata', false, [], top],
    ['spec', 'HTTPSEdge', 'manifest', false, [], undefined],
    ['spec', 'HTTPSEdgeRoute', 'spec', true, [], undefined],
    ['name', 'HTTPSEdge', 'spec', false, [], '`metadata`'],
    ['labels', 'HTTPSEdge', 'manifest', false, [], '`metadata`'],
    ['name', 'HTTPSEdge', 'lifecycle', false, [], '`metadata`'],
    ['name', 'HTTPSEdge', 'metadata', false, [], undefined],
    ['hostports', 'HTTPSEdge', 'manifest', false, [], '`spec`: indent it below `spec:`'],
    ['hostports', 'HTTPSEdge', 'metadata', false, [], '`spec`'],
    ['hostports', 'HTTPSEdge', 'lifecycle', false, [], '`spec`'],
    ['routes', 'HTTPSEdge', 'manifest', false, [], '`spec`: indent it below `spec:`'],
    ['routes', 'HTTPSEdge', 'lifecycle', false, [], '`spec`'],
    ['hostports', 'HTTPSEdge', 'spec', false, ['mutual_tls'], '`HTTPSEdge.spec`'],
    ['id', 'HTTPSEdge', 'spec', false, ['mutual_tls'], undefined],
    ['certificate_authority_ids', 'HTTPSEdge', 'spec', false, [], '`mutual_tls`'],
    ['backend_id', 'HTTPSEdgeRoute', 'spec', false, [], '`backend`'],
    ['client_secret', 'HTTPSEdgeRoute', 'spec', false, ['oauth', 'provider', 'github'], undefined],
    ['match_type', 'HTTPSEdge', 'spec', false, [], 'an entry of `HTTPSEdge.spec.routes`'],
    ['module_sets', 'HTTPSEdge', 'spec', false, [], 'an entry of `HTTPSEdge.spec.routes`'],
    ['hostports', 'HTTPSEdgeRoute', 'spec', false, [], '`HTTPSEdge.spec`'],
    ['nothing', 'HTTPSEdge', 'spec', false, [], undefined],
    ['constructor', 'HTTPSEdge', 'spec', false, [], undefined],
  ];
  test.each(cases)('of %s in %s, written in %s: nested %s, below %j', (key, kind, block, isNested, path, place) => {
    const hint = hintOf(key, kind, block, isNested, path);
    if (place === undefined) expect(hint ?? '').not.toContain('belongs in');
    else expect(hint).toBe(`\`${key}\` belongs ${place === top ? '' : 'in '}${place}`);
  });

  test('of several is one of at most three', () => {
    const places = (key: string) => hintOf(key, 'HTTPSEdgeRoute')?.replace(/.* belongs in /, '');
    expect(places('provider')).toBe('`webhook_verification` or `oauth`');
    expect(places('maximum_duration')).toBe('`oauth` or `saml` or `oidc`');
    expect(places('enabled')).toBe('`backend`, `ip_restriction`, `circuit_breaker` or others');
    expect(places('client_id')).toMatch(/^`oauth.provider.github`, .* or others$/);
  });

  test('is what to write instead for fields of Terraform and Kubernetes, but not where sluice has a field of this name', () => {
    expect(hintOf('depends_on', 'HTTPSEdge')).toBe(
      'remove the field: references such as {ref: NAME} determine the order',
    );
    expect(hintOf('count', 'HTTPSEdge', 'manifest')).toBe('write one manifest for each resource');
    expect(hintOf('provider', 'HTTPSEdge')).toBe('remove the field: set the service in `api` of sluice.yaml');
    expect(hintOf('provider', 'HTTPSEdgeRoute')).toContain('belongs in');
  });
});
