import { expect, test } from 'vitest';
import type { DesiredScope } from '../../../src/stack/plan/load-desired.ts';
import { withProtected } from '../../../src/stack/plan/with-protected.ts';
import { idOf, inputOf, planOf, type Given } from '../../plan/support.ts';

const route = 'HTTPSEdgeRoute/shop:/';
const authority = 'CertificateAuthority/clients';
const given: Given = {
  wanted: {},
  ours: {
    'HTTPSEdge/shop': { mutual_tls: { certificate_authority_ids: [idOf(authority)] } },
    [route]: {},
    [authority]: {},
    'HTTPSEdge/console': {},
  },
};

/** What is kept of these resources, of which the manifests want none, and what the manifests are with it. */
function kept(protectedOnes: readonly string[], before: readonly string[] = []) {
  const markers = Object.fromEntries(protectedOnes.map((address) => [address, { p: 'p' }]));
  const all = { ...given, markers };
  const input = inputOf(all);
  const wanted = { desired: input.desired, described: [], removedTargets: [] } as unknown as DesiredScope;
  return withProtected(wanted, { plan: planOf(all), input }, before);
}

test('nothing is kept where nothing is protected, whatever was kept before', () => {
  expect(kept([])).toBeUndefined();
  expect(kept([], ['HTTPSEdge/console'])).toBeUndefined();
});

test('what is protected is wanted as it is in the account, and so is what it refers to, at any distance', () => {
  const found = kept([route]);
  expect([...(found?.kept ?? [])].sort()).toEqual([authority, 'HTTPSEdge/shop', route]);
  const resources = found?.wanted.desired.resources ?? [];
  const lifecycleOf = (of: string): unknown => resources.find(({ address }) => address === of)?.lifecycle;
  expect(resources.find(({ address }) => address === 'HTTPSEdge/shop')?.spec).toEqual(given.ours?.['HTTPSEdge/shop']);
  expect([lifecycleOf(route), lifecycleOf(authority)]).toEqual([{ protect: true }, { protect: false }]);
});

test('what an earlier round kept stays kept, unless the account does not have it', () => {
  expect(kept([authority])?.kept).toEqual([authority]);
  expect(kept([authority], ['HTTPSEdge/console', 'HTTPSEdge/gone'])?.kept).toEqual([authority, 'HTTPSEdge/console']);
});
