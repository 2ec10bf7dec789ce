/* A value from outside is masked where state remembers one, whatever text the service shows there. */
import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { OutsideValue } from '../../src/kinds/value.ts';
import type { Actual } from '../../src/model/actual.ts';
import { atOnce } from '../../src/model/sliced.ts';
import type { Entry } from '../../src/model/state.ts';
import { maskFromState } from '../../src/refresh/mask-from-state.ts';
import { emptyState } from '../../src/state/store.ts';

const fromOutside = { secret: 'a digest', from_env: 'TEAM' };
const entry: Entry = {
  kind: 'ReservedAddr',
  id: 'ra_1',
  spec: { description: fromOutside, region: 'eu' },
  protect: false,
  retain: false,
};
const shown: Actual = {
  kind: 'ReservedAddr',
  id: 'ra_1',
  spec: { description: 'as the service writes it', region: 'eu' },
  computed: {},
};

/** The description as it is read, beside one entry in state. */
function described(given: Entry, actual = shown): unknown {
  const state = { ...emptyState('5c1e7a90', 'https://api.example.com'), entries: { 'ReservedAddr/a': given } };
  return atOnce(maskFromState([actual], kinds, state))[0]?.spec['description'];
}

test('a text of which state has the digest is masked, in whatever spelling the service shows it', () => {
  expect(described(entry)).toEqual(new OutsideValue('as the service writes it', { from_env: 'TEAM' }));
});

test('a text that the service did not clear is masked if it came from outside', () => {
  const spec = { region: 'eu' };
  expect(described({ ...entry, spec, unclearedFields: { '/description': fromOutside } })).toBeInstanceOf(OutsideValue);
});

test('what state has as plain text, and what another resource has, is shown', () => {
  expect(described({ ...entry, spec: { description: 'plain', region: 'eu' } })).toBe('as the service writes it');
  expect(described({ ...entry, id: 'ra_2' })).toBe('as the service writes it');
});
