import { expect, test } from 'vitest';
import { kinds } from '../../src/kinds/index.ts';
import { maskCopied } from '../../src/refresh/mask-copied.ts';
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
