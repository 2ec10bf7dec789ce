/* Without a state, a resource without an ownership marker may be one that this stack made before. */
import { expect, test } from 'vitest';
import { planOf, reported, type Specs } from '../support.ts';

function twins(wanted: Specs, foreign: Specs): string[] {
  return reported(planOf({ wanted, foreign, state: 'lost', marker: false }), 'warning').filter((line) =>
    line.startsWith('POSSIBLE_DUPLICATE'),
  );
}

test('a resource with the same values may be the one that would be created', () => {
  expect(twins({ 'ReservedAddr/mqtt': {} }, { 'ReservedAddr/a': { region: 'us' } })).toEqual([
    'POSSIBLE_DUPLICATE ReservedAddr/mqtt: this plan has no state, and ra_a has the same values and no ownership marker: ra_a may be this resource, and would then exist twice',
  ]);
});

test('a resource whose manifest leaves a field to the service may be one that has a value there', () => {
  const wanted = { public_key: 'ssh-ed25519 AAAA', ssh_certificate_authority_id: 'sshca_1', principals: ['a'] };
  const foreign = { ...wanted, valid_until: '2027-01-01T00:00:00Z' };
  expect(twins({ 'SSHHostCertificate/a': wanted }, { 'SSHHostCertificate/b': foreign })).toHaveLength(1);
});

test.each<[string, Specs, Specs]>([
  [
    'a description that the manifest does not have',
    { 'ReservedAddr/mqtt': {} },
    { 'ReservedAddr/a': { description: 'ftp' } },
  ],
  [
    'a hostport that the manifest does not have',
    { 'HTTPSEdge/shop': {} },
    { 'HTTPSEdge/a': { hostports: ['a.example.com:443'] } },
  ],
  ['another region', { 'ReservedAddr/mqtt': {} }, { 'ReservedAddr/a': { region: 'eu' } }],
])('a resource with %s is another one', (_what, wanted, foreign) => {
  expect(twins(wanted, foreign)).toEqual([]);
});
