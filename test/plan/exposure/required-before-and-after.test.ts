import { describe, expect, test } from 'vitest';
import type { SpecObject, SpecValue } from '../../../src/kinds/value.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import { backend, hazards, inputOf, ipRestriction, oauth, planOf, to, type Specs } from '../support.ts';
import { applied, nothing, planIn } from './walk-world.ts';

const shop = (modules: SpecObject): Specs => ({
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
  'HTTPSEdgeRoute/shop:/': { ...backend, ...modules },
});

describe('what is required before and after', () => {
  const asked = (plan: Plan, code: string): readonly unknown[] =>
    plan.hazards.flatMap((hazard) => (hazard.code === code ? [hazard.asked] : []));
  const office = (pem: string, list: readonly SpecValue[]): Specs => ({
    'CertificateAuthority/office': { ca_pem: pem },
    ...shop({}),
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], mutual_tls: { certificate_authority_ids: list } },
  });

  test('names resources by their addresses, and one that is replaced as old and new', () => {
    const ref = to('CertificateAuthority/office');
    const plan = planOf({ ours: office('one', [ref]), wanted: office('two', [ref]) });
    expect(hazards(plan)).toEqual([
      'OPENS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/…: `mutual_tls.certificate_authority_ids` also allows the new instance of CertificateAuthority/office',
      'RESTRICTS_ACCESS HTTPSEdge/shop: requests to https://shop.example.com/…: `mutual_tls.certificate_authority_ids` no longer allows the old instance of CertificateAuthority/office',
    ]);
    expect(asked(plan, 'OPENS_ACCESS')).toEqual([
      {
        before: 'mutual TLS (the old instance of CertificateAuthority/office)',
        after: 'mutual TLS (the new instance of CertificateAuthority/office)',
      },
    ]);
  });

  test('names what no longer exists as old', () => {
    const gone: Specs = {
      ...shop({}),
      'HTTPSEdge/shop': {
        hostports: ['shop.example.com:443'],
        mutual_tls: { certificate_authority_ids: ['ca_office'] },
      },
    };
    const plan = planOf({
      ours: gone,
      wanted: office('one', [to('CertificateAuthority/office')]),
      state: { 'CertificateAuthority/office': {} },
    });
    expect(asked(plan, 'OPENS_ACCESS')).toEqual([
      {
        before: 'mutual TLS (the old instance of CertificateAuthority/office)',
        after: 'mutual TLS (the new instance of CertificateAuthority/office)',
      },
    ]);
  });

  test('names an id by the manifest that names it', () => {
    const plan = planOf({
      ours: shop({}),
      wanted: shop(ipRestriction),
      input: {
        desired: { ...inputOf({ wanted: shop(ipRestriction) }).desired, externals: { ipp_office: 'External/office' } },
      },
    });
    expect(asked(plan, 'RESTRICTS_ACCESS')).toEqual([{ before: '', after: 'IP restriction (External/office)' }]);
  });

  test('is nothing on both sides where a public URL stays so', () => {
    const plan = planOf({ ours: shop({}), wanted: shop({}), policy: { ...inputOf({}).policy, public: [] } });
    expect(asked(plan, 'PUBLICLY_EXPOSED')).toEqual([{ before: '', after: '' }]);
  });

  test('is nothing before where the plan closes a public URL', () => {
    const plan = planIn({ ...applied(nothing, planIn(nothing, shop(oauth))), actual: shop({}) }, shop(oauth));
    expect(asked(plan, 'PUBLICLY_EXPOSED')).toEqual([
      { before: '', after: 'authentication (anyone with a Google account)' },
    ]);
  });
});
