/* What a run knows of a resource from the responses to its requests. */
import { expect, test } from 'vitest';
import { KnownResources } from '../../src/apply/known-resources.ts';
import { httpsEdgeRoute } from '../../src/kinds/https-edge-route/index.ts';
import type { JsonObject } from '../../src/model/json-object.ts';
import type { Step } from '../../src/model/plan/plan.ts';

const route = 'HTTPSEdgeRoute/shop:all';
const path = '/edges/https/edghts_1/routes/edghtsrt_1';

/** What is known after requests were answered, in this order. */
function after(
  ...answered: readonly [method: 'PATCH' | 'PUT' | 'DELETE', at: string, answer: JsonObject | undefined][]
) {
  const known = new KnownResources([], () => '0123456789ab');
  for (const [method, at, answer] of answered) {
    const request = { method, path: [at], body: {} };
    const step = { id: '1', address: route, role: 'update', request, dependsOn: [] } as unknown as Step;
    known.noteAnswer(step, httpsEdgeRoute, answer);
  }
  return known.answer(route);
}

test('the response to the PUT of a module shows that module only', () => {
  expect(
    after(
      ['PATCH', path, { id: 'edghtsrt_1', description: 'Shop', oauth: { client_secret: 'old' } }],
      ['PUT', `${path}/oauth`, { client_secret: 'new' }],
    ),
  ).toEqual({ id: 'edghtsrt_1', description: 'Shop', oauth: { client_secret: 'new' } });
});

test('a PUT without a response body leaves its module unknown: an earlier response shows what was there before', () => {
  expect(
    after(['PATCH', path, { id: 'edghtsrt_1', oauth: { client_secret: 'old' } }], ['PUT', `${path}/oauth`, undefined]),
  ).toEqual({ id: 'edghtsrt_1', oauth: undefined });
});

test('the response to a DELETE is not taken as what is there now: it may show what was there before', () => {
  expect(after(['DELETE', `${path}/oauth`, { id: 'edghtsrt_1', oauth: { client_secret: 'old' } }])).toEqual({});
});

test('only a PATCH reports which texts the service kept: the response to a PUT is its module, without an id', () => {
  const known = new KnownResources([], () => '0123456789ab');
  const noted = (method: 'PATCH' | 'PUT', at: string, body: JsonObject, answer: JsonObject) => {
    const step = { id: '1', address: route, role: 'update', request: { method, path: [at], body }, dependsOn: [] };
    return known.noteAnswer(step as unknown as Step, httpsEdgeRoute, answer);
  };
  expect(noted('PUT', `${path}/oidc`, { client_id: '' }, { client_id: 'kept' })).toEqual({});
  expect(noted('PATCH', path, { description: '' }, { id: 'edghtsrt_1', description: 'kept' })).toEqual({
    '/description': 'kept',
  });
});
