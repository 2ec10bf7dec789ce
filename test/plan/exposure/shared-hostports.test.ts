/*
 * Edges that share a hostport: which of them answers is not described, so each may, with its own routes alone
 * (decisions/0056).
 */
import { expect, test } from 'vitest';
import { plannedRouting } from '../../../src/plan/access-policy/planned-routing.ts';
import { decidePlan } from '../../../src/plan/decide-plan.ts';
import { routingIndex, httpRequest } from '../../../src/plan/access-policy/routing-index.ts';
import { traceRequest } from '../../../src/plan/access-policy/trace-request.ts';
import { backend, hazards, inputOf, ipRestriction, oauth, planOf, type Specs } from '../support.ts';

const hostports = ['shop.example.com:443'];
const one: Specs = { 'HTTPSEdge/one': { hostports }, 'HTTPSEdgeRoute/one:/': { ...backend, ...oauth } };
const edgeTwo: Specs = { 'HTTPSEdge/two': { hostports } };

function reported(ours: Specs, wanted: Specs): string[] {
  const plan = planOf({ profile: 'documented', ours, wanted });
  return hazards(plan).filter((line) => !line.startsWith('INTERRUPTS_TRAFFIC'));
}

test('an open route of one is not hidden by a protected route of the other with a longer path', () => {
  const narrow: Specs = { 'HTTPSEdge/one': { hostports }, 'HTTPSEdgeRoute/one:/admin': { ...backend, ...oauth } };
  expect(reported(narrow, { ...narrow, ...edgeTwo, 'HTTPSEdgeRoute/two:/': backend })).toEqual([
    'EXPOSES_PUBLICLY HTTPSEdge/two: https://shop.example.com/admin… and https://shop.example.com/… become public: anyone can reach them',
    'OPENS_ACCESS HTTPSEdgeRoute/two:/: requests to https://shop.example.com/admin… are no longer subject to authentication',
    'OPENS_ACCESS HTTPSEdgeRoute/two:/: requests to https://shop.example.com/… reach the backend bkd_app without authentication; until now, every URL of this backend required it',
  ]);
});

test('another control on the other edge lets in other people', () => {
  expect(reported(one, { ...one, ...edgeTwo, 'HTTPSEdgeRoute/two:/': { ...backend, ...ipRestriction } })).toEqual([
    'OPENS_ACCESS HTTPSEdgeRoute/two:/: requests to https://shop.example.com/… are no longer subject to authentication',
    'RESTRICTS_ACCESS HTTPSEdgeRoute/two:/: requests to https://shop.example.com/… now require IP restriction (ipp_office)',
  ]);
});

test('an edge with the hostport and no route changes nothing', () => {
  expect(reported(one, { ...one, ...edgeTwo })).toEqual([]);
});

test('a request that one edge would let pass depends on which of them answers', () => {
  const ours: Specs = { ...one, ...edgeTwo, 'HTTPSEdgeRoute/two:/admin': backend };
  const { now, named } = plannedRouting(decidePlan(inputOf({ profile: 'documented', ours, wanted: ours })));
  const index = routingIndex(now);
  const answer = (url: string): string => {
    const request = httpRequest('GET', url);
    if (request === undefined) throw new Error(`${url} is no URL`);
    const { answer: ending, reason } = traceRequest(request, index, named);
    return `${ending}: ${reason}`;
  };
  expect(answer('https://shop.example.com/admin')).toBe(
    'depends: the result depends on which of the edges HTTPSEdge/one and HTTPSEdge/two answers the request',
  );
  expect(answer('https://shop.example.com/')).toBe('refused: requires authentication (anyone with a Google account)');
});
