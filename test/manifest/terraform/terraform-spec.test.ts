import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import { OutsideValue, Secret } from '../../../src/kinds/value.ts';
import { meaningOf } from '../../../src/manifest/terraform/terraform-resource.ts';
import { terraformSpec } from '../../../src/manifest/terraform/terraform-spec.ts';

function converted(kind: string, value: unknown, sensitive?: unknown) {
  const notes: string[] = [];
  const fields = kinds.named(kind)?.fields ?? {};
  const spec = terraformSpec(fields, { value, sensitive }, (field, reason) => notes.push(`${field}: ${reason}`));
  return { spec, notes };
}

test.each([
  ['example_https_edge', 'HTTPSEdge', undefined],
  ['example_https_edges', 'HTTPSEdge', undefined],
  ['example_edge_https', 'HTTPSEdge', undefined],
  ['example_certificate_authority', 'CertificateAuthority', undefined],
  ['example_certificate_authorities', 'CertificateAuthority', undefined],
  ['example_https_edge_route', 'HTTPSEdgeRoute', undefined],
  ['example_https_edge_route_oidc', 'HTTPSEdgeRoute', 'oidc'],
  ['example_https_edge_mutual_tls', 'HTTPSEdge', 'mutual_tls'],
  ['https_edge', undefined, undefined],
  ['example_big_https_edge', undefined, undefined],
  ['example_https_edge_oidc', undefined, undefined],
  ['example_https_https', undefined, undefined],
  ['example', undefined, undefined],
])('the type %s means %s with the module %s', (type, kind, module) => {
  const meaning = meaningOf(type, kinds);
  expect([meaning?.kind.name, meaning?.module]).toEqual([kind, module]);
});

describe('the values of Terraform become a spec', () => {
  test('in which what is unset is not: null, an empty text, and an empty list unless the field requires one', () => {
    const unset = { description: '', hostports: [], metadata: null, mutual_tls: [], unknown: null };
    expect(converted('HTTPSEdge', unset)).toEqual({ spec: {}, notes: [] });
    const tls = { certificate_authority_ids: [] };
    expect(converted('HTTPSEdge', { mutual_tls: [tls] })).toEqual({ spec: { mutual_tls: tls }, notes: [] });
  });

  test('in which a block is a list of at most one, or a mapping', () => {
    const tls = { certificate_authority_ids: ['ca_1'] };
    for (const block of [tls, [tls]])
      expect(converted('HTTPSEdge', { mutual_tls: block })).toEqual({ spec: { mutual_tls: tls }, notes: [] });
    expect(converted('HTTPSEdge', { mutual_tls: [null] })).toEqual({ spec: { mutual_tls: {} }, notes: [] });
    expect(converted('HTTPSEdge', { mutual_tls: [tls, tls] })).toEqual({
      spec: {},
      notes: ['mutual_tls: the field requires a single block'],
    });
    for (const block of ['text', ['text']])
      expect(converted('HTTPSEdge', { mutual_tls: block })).toEqual({
        spec: {},
        notes: ['mutual_tls: the field requires an object'],
      });
  });

  test('in which an id may be an object that has it, or a list of one', () => {
    for (const id of ['ca_1', { id: 'ca_1', uri: 'https://api.example.com/ca_1' }, [{ id: 'ca_1' }]])
      expect(converted('HTTPSEdge', { mutual_tls: { certificate_authority_ids: [id] } }).spec).toEqual({
        mutual_tls: { certificate_authority_ids: ['ca_1'] },
      });
  });

  test('of which a field that does not exist, or of another type, is noted by its path', () => {
    const wrong = {
      hostports: 'a:443',
      mutual_tls: { nothing: 1, certificate_authority_ids: [7, {}, 'ca_1'] },
      other: 1,
    };
    expect(converted('HTTPSEdge', wrong)).toEqual({
      spec: { mutual_tls: { certificate_authority_ids: ['7', 'ca_1'] } },
      notes: [
        'hostports: the field requires a list',
        'mutual_tls.nothing: sluice has no field of this name',
        'mutual_tls.certificate_authority_ids[1]: the field requires a value of another type than in Terraform',
        'other: sluice has no field of this name',
      ],
    });
  });

  test('of which numbers and flags may be text, and a computed field is left out', () => {
    const breaker = (value: unknown) => converted('HTTPSEdgeRoute', { circuit_breaker: value }).spec['circuit_breaker'];
    expect(breaker({ error_threshold_percentage: '0.5' })).toEqual({ error_threshold_percentage: 0.5 });
    expect(converted('HTTPSEdge', { id: 'edghts_1', uri: 'x', created_at: 'y', description: 5 })).toEqual({
      spec: { description: '5' },
      notes: [],
    });
  });

  test('in which no sensitive text is: it comes from outside, a secret stays one, and what must be known is noted', () => {
    const described = converted('HTTPSEdge', { description: 'canary' }, { description: true }).spec['description'];
    expect(described).toBeInstanceOf(OutsideValue);
    expect(converted('HTTPSEdge', { description: 'canary' }, true).spec['description']).toBeInstanceOf(OutsideValue);
    const oidc = converted('HTTPSEdgeRoute', { oidc: [{ client_secret: 'canary' }] }).spec['oidc'];
    expect(oidc).toEqual({ client_secret: expect.any(Secret) as unknown });
    const ports = converted('HTTPSEdge', { hostports: ['a:443', 'b:443'] }, { hostports: [false, true] });
    expect(ports.spec).toEqual({ hostports: ['a:443'] });
    expect(ports.notes).toEqual([expect.stringMatching(/^hostports\[1\]: the value is sensitive/)]);
  });
});
