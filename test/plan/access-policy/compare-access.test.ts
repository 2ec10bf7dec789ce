/* What an approval does to access is shown whole: both sides of every URL that the changes concern, and of no other. */
import { expect, test } from 'vitest';
import { atOnce } from '../../../src/model/sliced.ts';
import { comparedAccessInSteps } from '../../../src/plan/access-policy/compare-access.ts';
import { plannedRouting } from '../../../src/plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../../src/plan/decide-plan.ts';
import { backend, inputOf, oauth, type Specs } from '../support.ts';

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const open: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/': backend };
const admitting = (...domains: string[]): Specs => ({
  ...edge,
  'HTTPSEdgeRoute/shop:/': { ...backend, oauth: { provider: { google: { email_domains: domains } } } },
});
const behindSignIn: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } };
const urls = ['https://shop.example.com/…'];

function compared(ours: Specs, wanted: Specs, ...changed: string[]) {
  const plan = plannedRouting(decidePlan(inputOf({ ours, wanted })));
  const found = comparedAccessInSteps({ before: plan.now, plan, changed: new Set(changed), addresses: [] });
  return atOnce(found).rows.map(({ effect, urls: shown, now, after }) => ({
    effect,
    urls: shown,
    now: now.who,
    after: after.who,
  }));
}

const route = 'HTTPSEdgeRoute/shop:/';

test.each<[string, Specs, Specs, string, string, string]>([
  ['public', behindSignIn, open, 'public', 'authentication (anyone with a Google account)', 'anyone'],
  ['restricted', open, admitting('a.example'), 'restricted', 'anyone', 'authentication (Google accounts: a.example)'],
  [
    'opened',
    admitting('a.example'),
    admitting('a.example', 'b.example'),
    'opened',
    'authentication (Google accounts: a.example)',
    'authentication (Google accounts: a.example, b.example)',
  ],
  [
    'changed',
    admitting('a.example'),
    admitting('b.example'),
    'changed',
    'authentication (Google accounts: a.example)',
    'authentication (Google accounts: b.example)',
  ],
  ['new', edge, admitting('a.example'), 'new', 'nobody', 'authentication (Google accounts: a.example)'],
  ['gone', open, edge, 'gone', 'anyone', 'nobody'],
])('both sides are whole where access is %s', (_, ours, wanted, effect, now, after) => {
  expect(compared(ours, wanted, route)).toEqual([{ effect, urls, now, after }]);
});

test('a URL of a changed edge or route is listed although its access stays, and one of another edge is not', () => {
  const other: Specs = {
    'HTTPSEdge/api': { hostports: ['api.example.com:443'] },
    'HTTPSEdgeRoute/api:/': backend,
  };
  const described = { ...open, 'HTTPSEdge/shop': { ...edge['HTTPSEdge/shop'], description: 'Shop' } };
  const row = { effect: 'unchanged', urls, now: 'anyone', after: 'anyone' };
  expect(compared({ ...open, ...other }, { ...described, ...other }, 'HTTPSEdge/shop')).toEqual([row]);
});

test('what opens comes before what is restricted or stays', () => {
  const staff = 'HTTPSEdgeRoute/shop:/staff';
  const found = compared(
    { ...admitting('a.example'), [staff]: backend },
    { ...open, [staff]: { ...backend, ...oauth } },
    route,
    staff,
  );
  expect(found.map(({ effect, urls: [url] }) => [effect, url])).toEqual([
    ['public', 'https://shop.example.com/…'],
    ['restricted', 'https://shop.example.com/staff…'],
  ]);
});
