/* What an approval does to URLs, and to the addresses at which clients arrive without an edge. */
import { expect, test } from 'vitest';
import { atOnce } from '../../../src/model/sliced.ts';
import { plannedRouting } from '../../../src/plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../../src/plan/decide-plan.ts';
import { accessIfApproved } from '../../../src/watch/decide/access-if-approved.ts';
import { selectApplicable, type SelectionInput } from '../../../src/watch/decide/select-applicable.ts';
import { harness } from '../../support/harness.ts';
import { afterChange, everything } from '../../support/selection.ts';

const addr = (name: string, fields: string) =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nlifecycle: {protect: false}\nspec: {${fields}}\n---\n`;

/** The rows of an approval of all changes from one text of manifests to another. */
async function rowsOf(before: string, after: string, given: Partial<SelectionInput> = {}) {
  const walk = harness({ policy: { maxDeletes: { count: 0 }, block: ['OPENS_ACCESS'] } });
  await walk.converge({ 'stack.yaml': before });
  const { plan, input } = await walk.plan({ 'stack.yaml': after }, { allow: [] });
  const unapproved = afterChange({ ...everything, applyOnChange: false });
  const selection = atOnce(selectApplicable(plan, input, { ...unapproved, ...given }));
  const access = atOnce(accessIfApproved(selection, plannedRouting(decidePlan(input))));
  return (access?.rows ?? []).map(({ effect, urls, now, after: then }) => [
    effect,
    ...urls,
    now.audience,
    then.audience,
  ]);
}

const kept = addr('kept', 'region: eu');
const assigned = 'an address that the service assigns';
const known = expect.stringMatching(/:\d+$/) as string;

test('an address that is created is new, at a place that the service assigns', async () => {
  expect(await rowsOf(kept, kept + addr('more', 'region: eu'))).toEqual([['new', assigned, 'nobody', 'outside']]);
});

test('an address that is deleted is gone', async () => {
  expect(await rowsOf(kept + addr('more', 'region: eu'), kept)).toEqual([['gone', known, 'outside', 'nobody']]);
});

test('an address that is replaced is gone: the service assigns another one', async () => {
  expect(await rowsOf(kept, addr('kept', 'region: us'))).toEqual([['gone', known, 'outside', 'nobody']]);
});

test('an address with another description stays as it is', async () => {
  expect(await rowsOf(kept, addr('kept', 'region: eu, description: Main'))).toEqual([]);
});

const edge = (hostports: string, auth: string) => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [${hostports}]
  routes: [{match_type: path_prefix, match: /, backend: {backend_id: bkd_1}${auth}}]
`;
const google = ', oauth: {provider: {google: {}}}';

test('a URL is not public after an approval where the change that serves it has failed, and is not approved', async () => {
  const before = edge('shop.example.com:443', google);
  const failure = { scope: '', code: 'API_REFUSED', message: 'refused', since: 0, attempts: 1, nextAttempt: 60_000 };
  const failureOf = (address: string) => (address === 'HTTPSEdge/shop' ? failure : undefined);
  const rows = await rowsOf(before, edge('shop.example.com:443, www.example.com:443', ''), {
    failureOf,
    syncSettings: everything,
  });
  expect(rows).toEqual([['public', 'https://shop.example.com/…', 'restricted', 'public']]);
});
