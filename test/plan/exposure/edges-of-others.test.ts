/* A stack may have routes on an edge of another stack. It speaks of the requests of these, and not of all that others do there. */
import { expect, test } from 'vitest';
import { backend, hazards, idOf, oauth, planOf, type Given, type Specs } from '../support.ts';

const ours: Specs = { 'HTTPSEdgeRoute/theirs:/app': { ...backend, ...oauth, edge_id: idOf('HTTPSEdge/theirs') } };
const theirs: Specs = {
  'HTTPSEdge/theirs': { hostports: ['theirs.example.com:443'] },
  'HTTPSEdgeRoute/theirs:/': backend,
  'HTTPSEdgeRoute/theirs:/staff': { ...backend, ...oauth },
};
const declared = { maxDeletes: { count: 100 }, block: [], public: [] };
const plan = (given: Given) => planOf({ ours, wanted: ours, foreign: theirs, ...given });

test('the public routes of others on their own edge are no concern of this stack', () => {
  for (const given of [{}, { policy: declared }]) expect(hazards(plan(given))).toEqual([]);
});

test('nor does state record what they require', () => {
  expect(plan({}).lastAccess.remember).toEqual({});
});

test('but what takes requests that a route of this stack took is reported', () => {
  const foreign = { ...theirs, 'HTTPSEdgeRoute/theirs:/app/x': backend };
  expect(hazards(plan({ foreign }))).toEqual([
    'PUBLICLY_EXPOSED unmanaged edghts_theirs: https://theirs.example.com/app/x… is public now; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    'OPENS_ACCESS unmanaged edghtsrt_theirs-app-x: requests to https://theirs.example.com/app/x… are no longer subject to authentication (changed outside sluice)',
  ]);
});

test('so is what the deletion of such a route opens', () => {
  expect(hazards(plan({ wanted: {} })).map((line) => line.split(' ')[0])).toEqual(['OPENS_ACCESS', 'EXPOSES_PUBLICLY']);
});
