import { describe, expect, test } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { Fields } from '../../../src/kinds/kind.ts';
import { OutsideValue, Secret } from '../../../src/kinds/value.ts';
import { atOnce } from '../../../src/model/sliced.ts';
import type { Change, Plan, Step } from '../../../src/model/plan/plan.ts';
import { approvalDigestInSteps, comparable } from '../../../src/plan/saved/comparable.ts';
import { backend, digest, oidc, planOf } from '../support.ts';

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const route = 'HTTPSEdgeRoute/shop:/';
const plan = planOf({ wanted: { ...edge, [route]: { ...backend, ...oidc } }, ours: { ...edge, [route]: backend } });
const creation = planOf({ wanted: { 'ReservedAddr/a': {} } });

function withChange(change: (own: Change) => Partial<Change>): Plan {
  return { ...plan, changes: plan.changes.map((one) => (one.address === route ? { ...one, ...change(one) } : one)) };
}

function withStep(of: Plan, step: (own: Step) => Partial<Step['request']>): Plan {
  const steps = of.steps.map((one) => ({ ...one, request: { ...one.request, ...step(one) } }));
  return { ...of, steps };
}

describe('two plans are the same', () => {
  test.each<{ what: string; before: Plan; after: Plan }>([
    {
      what: 'why a field differs',
      before: plan,
      after: withChange(({ fields }) => ({ fields: fields.map((field) => ({ ...field, reason: 'drift' as never })) })),
    },
    { what: 'the warnings', before: plan, after: { ...plan, diagnostics: [{ code: 'X' } as never] } },
    {
      what: 'the nonce that was drawn',
      before: creation,
      after: withStep(creation, ({ request: { marker } }) =>
        marker === undefined ? {} : { marker: { ...marker, marker: { ...marker.marker, n: 'another' } } },
      ),
    },
    {
      what: 'the order of keys and sets in the manifests',
      before: planOf({ wanted: { 'HTTPSEdge/shop': { hostports: ['a:443', 'b:443'], description: 'Shop' } } }),
      after: planOf({ wanted: { 'HTTPSEdge/shop': { description: 'Shop', hostports: ['b:443', 'a:443'] } } }),
    },
  ])('whatever $what', ({ before, after }) => {
    expect(comparable(after, digest)).toEqual(comparable(before, digest));
  });

  test('in every resource that does not change', () => {
    expect([...comparable(plan, digest).keys()]).toEqual([route]);
  });
});

test('the order of lists does not count, because in every kind they are sets', () => {
  const orders = (fields: Fields): string[] =>
    Object.values(fields).flatMap((field) => {
      if (field.is === 'list') return [field.order, ...(field.of.is === 'group' ? orders(field.of.fields) : [])];
      return field.is === 'group' ? orders(field.fields) : [];
    });
  expect(new Set(kinds.all.flatMap(({ fields }) => orders(fields)))).toEqual(new Set(['set']));
});

describe('two plans differ', () => {
  test.each<{ what: string; before?: Plan; after: Plan }>([
    { what: 'the action', after: withChange(() => ({ action: 'delete' })) },
    { what: 'the id', after: withChange(() => ({ id: 'edghtsrt_other' })) },
    {
      what: 'whether it is blocked',
      after: withChange(() => ({ blocked: { code: 'PROTECTED', message: '' } as never })),
    },
    {
      what: 'what blocks it',
      before: withChange(() => ({ blocked: { code: 'PROTECTED', message: '' } as never })),
      after: withChange(() => ({ blocked: { code: 'POLICY', message: '' } as never })),
    },
    {
      what: 'a value before',
      after: withChange(({ fields }) => ({ fields: fields.map((field) => ({ ...field, before: 'other' })) })),
    },
    {
      what: 'a value after',
      after: withChange(({ fields }) => ({ fields: fields.map((field) => ({ ...field, after: 'other' })) })),
    },
    {
      what: 'which field it is',
      after: withChange(({ fields }) => ({ fields: fields.map((field) => ({ ...field, path: ['other'] })) })),
    },
    { what: 'a file', after: { ...plan, files: [{ address: route, path: 'a.pem' } as never] } },
    {
      what: 'which file it is',
      before: { ...plan, files: [{ address: route, path: 'a.pem' } as never] },
      after: { ...plan, files: [{ address: route, path: 'b.pem' } as never] },
    },
    {
      what: 'which hazard it is',
      before: { ...plan, hazards: [{ code: 'EXPOSES_PUBLICLY', address: route, message: '' } as never] },
      after: { ...plan, hazards: [{ code: 'OPENS_ACCESS', address: route, message: '' } as never] },
    },
    {
      what: 'a hazard',
      after: { ...plan, hazards: [] },
      before: { ...plan, hazards: [{ code: 'EXPOSES_PUBLICLY', address: route, message: '' } as never] },
    },
    { what: 'the method of a request', after: withStep(plan, () => ({ method: 'PUT' })) },
    { what: 'the path of a request', after: withStep(plan, () => ({ path: ['/elsewhere'] })) },
    { what: 'the body of a request', after: withStep(plan, () => ({ body: {} })) },
    { what: 'a request', after: { ...plan, steps: [] } },
    {
      what: 'the address in a marker',
      before: creation,
      after: withStep(creation, ({ request: { marker } }) =>
        marker === undefined ? {} : { marker: { ...marker, marker: { ...marker.marker, a: 'ReservedAddr/b' } } },
      ),
    },
  ])('by $what', ({ before = plan, after }) => {
    expect(comparable(after, digest)).not.toEqual(comparable(before, digest));
  });

  test('by a secret, which is compared by its digest and never written', () => {
    const part = comparable(plan, digest).get(route) ?? '';
    expect(part).toContain('digest of s3cret');
    const other = { ...backend, oidc: { ...oidc.oidc, client_secret: new Secret('other') } };
    const changed = planOf({ wanted: { ...edge, [route]: other }, ours: { ...edge, [route]: backend } });
    expect(comparable(changed, digest).get(route)).not.toBe(part);
  });
});

describe('a printed value from outside', () => {
  const origin = { from_env: 'OWNER' };
  const partOf = (before: unknown, printedAt: string): string => {
    const fields = [{ path: ['description'], before, after: new OutsideValue('is', origin) }] as never;
    const printed = [{ path: [printedAt], text: 'was', origin }] as never;
    const masked = withChange(() => ({ fields, printed }));
    return comparable(masked, digest, (text) => `shared digest of ${text}`).get(route) ?? '';
  };

  test.each([{ before: 'was' }, { before: { name: 'was' } }, { before: ['was'] }])(
    'is compared by the digest that both sides share: $before',
    ({ before }) => {
      const part = partOf(before, 'description');
      expect(part).toContain('shared digest of was');
      expect(part).toContain('digest of is');
      expect(part).not.toContain('"was"');
    },
  );

  test('is one only in its own field', () => {
    expect(partOf('was', 'metadata')).toContain('"was"');
  });

  test('is not one where it is empty', () => {
    const fields = [{ path: ['description'], before: '', after: 'is' }] as never;
    const printed = [{ path: ['description'], text: '', origin }] as never;
    const part = comparable(
      withChange(() => ({ fields, printed })),
      digest,
    ).get(route);
    expect(part).toContain('"before":""');
  });
});

describe('the digest of what is approved', () => {
  const parts = [
    ['HTTPSEdge/a', 'one'],
    ['HTTPSEdge/b', 'two'],
    ['HTTPSEdge/c', 'three'],
  ] as const;
  const approvalDigest = (all: ReadonlyMap<string, string>, bound: readonly string[]): string =>
    atOnce(approvalDigestInSteps(all, bound));
  const all = approvalDigest(new Map(parts), []);

  test('does not depend on the order of the parts', () => {
    expect(all).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(approvalDigest(new Map([...parts].reverse()), [])).toBe(all);
    expect(approvalDigest(new Map([parts[1], parts[2], parts[0]]), [])).toBe(all);
  });

  test('depends on each part, its address, and what it is bound to', () => {
    const others = [
      approvalDigest(new Map(parts.slice(1)), []),
      approvalDigest(new Map([...parts.slice(1), ['HTTPSEdge/d', 'one']]), []),
      approvalDigest(new Map([...parts.slice(1), ['HTTPSEdge/a', 'other']]), []),
      approvalDigest(new Map(parts), ['account']),
    ];
    expect(new Set([all, ...others]).size).toBe(5);
  });
});
