/* Everything that can be reached, also where the API does not document which requests a match selects. */
import { expect, test } from 'vitest';
import { exposureMap } from '../../../src/plan/access-policy/exposure-map.ts';
import { plannedRouting } from '../../../src/plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../../src/plan/decide-plan.ts';
import { backend, inputOf, oauth, type Specs } from '../support.ts';

const shop = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const admin = 'HTTPSEdgeRoute/shop:shop.example.com:443/admin';
const rowsOf = (ours: Specs): string[] =>
  exposureMap(plannedRouting(decidePlan(inputOf({ ours, wanted: ours }))), 'now').rows.map(
    ({ audience, who, urls, route }) => `${audience}: ${who}: ${urls.join(' ')} ${route}`,
  );

test('a URL is listed for both readings of a match whose host is not documented', () => {
  const protectedPath = { ...shop, [admin]: { ...backend, ...oauth } };
  const google = 'restricted: authentication (anyone with a Google account)';
  expect(rowsOf({ ...protectedPath, 'HTTPSEdgeRoute/shop:/': backend })).toEqual([
    'public: anyone: https://shop.example.com/… HTTPSEdgeRoute/shop:/',
    `public: anyone, if the \`match\` of ${admin} selects no requests: https://shop.example.com/admin… HTTPSEdgeRoute/shop:/`,
    `${google}: https://shop.example.com/admin… ${admin}`,
  ]);
  expect(rowsOf(protectedPath)).toEqual([`${google}: https://shop.example.com/admin… ${admin}`]);
});
