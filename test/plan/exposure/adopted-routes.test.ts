/* What somebody has made by hand, and a plan adopts, has opened what it opens: nobody has applied it. */
import { expect, test } from 'vitest';
import type { LastAccess } from '../../../src/model/state.ts';
import { backend, hazards, idOf, inputOf, ipRestriction, oauth, planOf, type Given, type Specs } from '../support.ts';

const shop: Specs = {
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] },
  'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth },
};
const help = 'HTTPSEdgeRoute/shop:/help';
const adopting = (address: string): NonNullable<Given['lifecycle']> => ({ [address]: { adopt: idOf(address) } });
const said = (given: Given): readonly string[] => hazards(planOf(given)).filter((line) => !line.startsWith('ADOPTS'));

test('a public route on an edge of the stack is reported when it is adopted', () => {
  const foreign = { [help]: backend };
  expect(said({ ours: shop, foreign, wanted: { ...shop, ...foreign }, lifecycle: adopting(help) })).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/help: requests to https://shop.example.com/help… are no longer subject to authentication (changed outside sluice)',
  ]);
});

test('so is one that requires something else', () => {
  const foreign = { [help]: { ...backend, ...ipRestriction } };
  expect(said({ ours: shop, foreign, wanted: { ...shop, ...foreign }, lifecycle: adopting(help) })).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/help: requests to https://shop.example.com/help… are no longer subject to authentication (changed outside sluice)',
  ]);
});

test('one that requires the same, or more, is not', () => {
  for (const more of [{}, ipRestriction]) {
    const foreign = { [help]: { ...backend, ...oauth, ...more } };
    expect(said({ ours: shop, foreign, wanted: { ...shop, ...foreign }, lifecycle: adopting(help) })).toEqual([]);
  }
});

test('what the plan closes is said to end', () => {
  const foreign = { [help]: backend };
  const wanted = { ...shop, [help]: { ...backend, ...oauth } };
  expect(said({ ours: shop, foreign, wanted, lifecycle: adopting(help) })).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan ends the public access',
    'RESTRICTS_ACCESS HTTPSEdgeRoute/shop:/help: requests to https://shop.example.com/help… again require authentication (anyone with a Google account)',
  ]);
});

test('a route that was deleted and made again by hand is compared with the one that was applied', () => {
  const state = {
    [help]: {
      id: 'edghtsrt_old',
      parent: idOf('HTTPSEdge/shop'),
      spec: { match_type: 'path_prefix', match: '/help', ...backend, ...oauth },
    },
  };
  const edge = { 'HTTPSEdge/shop': shop['HTTPSEdge/shop'] ?? {} };
  const given = inputOf({ ours: edge, wanted: { ...edge, [help]: backend }, lifecycle: adopting(help), state });
  const { account } = inputOf({ foreign: { [help]: backend } });
  const plan = planOf({
    ours: edge,
    wanted: { ...edge, [help]: backend },
    lifecycle: adopting(help),
    state,
    input: { account: { ...given.account, foreign: account.foreign } },
  });
  expect(hazards(plan).filter((line) => !line.startsWith('ADOPTS'))).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/help… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/help: requests to https://shop.example.com/help… are no longer subject to authentication (changed outside sluice)',
  ]);
});

test('a route that another stack has taken over, and this one takes back, is compared with what this one has applied', () => {
  const foreign = { [help]: backend };
  const takenBack = (applied: Partial<typeof oauth>): readonly string[] => {
    const spec = { match_type: 'path_prefix', match: '/help', ...backend, ...applied };
    const state = { [help]: { parent: idOf('HTTPSEdge/shop'), spec } };
    return said({ ours: shop, foreign, wanted: { ...shop, ...foreign }, lifecycle: adopting(help), state });
  };
  expect(takenBack({})).toEqual([]);
  expect(takenBack(oauth)).toHaveLength(2);
});

const all = { lifecycle: { ...adopting('HTTPSEdge/shop'), ...adopting('HTTPSEdgeRoute/shop:/') } };
const open: Specs = { ...shop, 'HTTPSEdgeRoute/shop:/': backend };

test('an edge that is adopted with its routes is nobody’s mistake', () => {
  const plan = planOf({ foreign: open, wanted: open, ...all });
  expect(hazards(plan).filter((line) => !line.startsWith('ADOPTS'))).toEqual([]);
  expect(plan.lastAccess).toEqual({ remember: {}, forget: [] });
});

test('unless state remembers that its URLs required something when this stack served them', () => {
  const { state } = inputOf({});
  const restricted: LastAccess = [
    { edge: { kind: 'HTTPSEdge', spec: {} }, route: { kind: 'HTTPSEdgeRoute', spec: { ...oauth } } },
  ];
  const lastAccess = { 'prefix shop.example.com:443 shop.example.com /': restricted };
  const plan = planOf({
    foreign: open,
    wanted: open,
    ...all,
    input: state === undefined ? {} : { state: { ...state, lastAccess } },
  });
  expect(hazards(plan).filter((line) => !line.startsWith('ADOPTS'))).toEqual([
    'PUBLICLY_EXPOSED HTTPSEdge/shop: https://shop.example.com/… is already public; after the last apply, authentication (anyone with a Google account) was required; this plan does not change the public access',
    'OPENS_ACCESS HTTPSEdgeRoute/shop:/: requests to https://shop.example.com/… are no longer subject to authentication (changed outside sluice)',
  ]);
});

test('nor is an edge that has taken its requests from a wildcard of the stack, nobody knows since when', () => {
  const ours: Specs = {
    'HTTPSEdge/all': { hostports: ['*.example.com:443'] },
    'HTTPSEdgeRoute/all:/': { ...backend, ...oauth },
  };
  const plan = planOf({ ours, foreign: open, wanted: { ...ours, ...open }, ...all });
  expect(hazards(plan).filter((line) => !line.startsWith('ADOPTS'))).toEqual([]);
});
