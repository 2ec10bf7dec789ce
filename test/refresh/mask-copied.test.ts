import { describe, expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { maskCopied } from '../../src/refresh/mask-copied.ts';
import { createDigester } from '../../src/state/digest.ts';
import { remembered } from './account.ts';

// The description of the edge was last applied from the environment.
const { entries, ...state } = remembered({ 'HTTPSEdge/shop': 'edghts_shop' });
const spec = { description: { secret: 'digest of what was applied', from_env: 'OWNER' } };
const withOrigin = {
  ...state,
  entries: Object.fromEntries(Object.entries(entries).map(([address, entry]) => [address, { ...entry, spec }])),
};

test('an endpoint that repeats an external value of its edge shows where the value comes from', () => {
  const endpoint = { edge: { id: 'edghts_shop' }, description: 'who owns it', hostport: null, region: 'us' };
  expect(maskCopied(endpoint, kinds, withOrigin)).toEqual({ ...endpoint, description: '(from env OWNER)' });
});

test.each([{ edge: { id: 'edghts_other' } }, { edge: null }, { edge: 'edghts_shop' }, {}])(
  'an endpoint of something else shows its own values: %j',
  (of) => {
    const endpoint = { ...of, description: 'of an agent' };
    expect(maskCopied(endpoint, kinds, withOrigin)).toEqual(endpoint);
  },
);

test('an endpoint shows its own values where there is no state', () => {
  const endpoint = { edge: { id: 'edghts_shop' }, description: 'of an agent' };
  expect(maskCopied(endpoint, kinds, undefined)).toEqual(endpoint);
});

describe('an endpoint whose text equals a value from outside', () => {
  const secret = createDigester(state.salt)('who owns it');
  const externalValues = [{ kind: 'HTTPSEdge', field: 'description', secret, from_env: 'OWNER' }];
  const endpoint = { edge: { id: 'edghts_shop' }, description: 'who owns it', region: 'us' };
  const described = (description: string) => ({
    ...state,
    externalValues,
    entries: Object.fromEntries(
      Object.entries(entries).map(([address, entry]) => [address, { ...entry, spec: { description } }]),
    ),
  });

  test('shows where the value comes from, although its edge was last applied with another text', () => {
    const shown = maskCopied(endpoint, kinds, described('another'));
    expect(shown).toEqual({ ...endpoint, description: '(from env OWNER)' });
  });

  test('shows it where its edge was applied with the same text in a manifest', () => {
    expect(maskCopied(endpoint, kinds, described('who owns it'))).toEqual(endpoint);
  });

  test('shows the value of another field', () => {
    const other = { ...endpoint, description: 'plain', region: 'who owns it' };
    expect(maskCopied(other, kinds, described('another'))).toEqual(other);
  });

  test('shows it where one of the resources that it names was applied with it in a manifest', () => {
    const { entries: both } = remembered({ 'HTTPSEdge/shop': 'edghts_shop', 'ReservedAddr/shop': 'ra_shop' });
    const specs = [{ description: 'who owns it' }, { description: 'another' }];
    const named = { ...endpoint, tcp_addr: { id: 'ra_shop' } };
    const known = Object.entries(both).map(
      ([address, entry], n) => [address, { ...entry, spec: specs[n] ?? {} }] as const,
    );
    expect(maskCopied(named, kinds, { ...state, externalValues, entries: Object.fromEntries(known) })).toEqual(named);
  });
});

test('an endpoint of what a replacement left behind is one of the same resource', () => {
  const deposed = Object.entries(withOrigin.entries).map(
    ([address, entry]) => [address, { ...entry, id: 'edghts_new', deposed: ['edghts_shop'] }] as const,
  );
  const endpoint = { edge: { id: 'edghts_shop' }, description: 'who owns it' };
  const shown = maskCopied(endpoint, kinds, { ...withOrigin, entries: Object.fromEntries(deposed) });
  expect(shown).toEqual({ ...endpoint, description: '(from env OWNER)' });
});
