/* A backend is reached by nobody during an apply who reaches it neither before nor after, where an order of the steps keeps that. */
import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { hazards, oauth, order, planOf, type Specs } from '../support.ts';

const on = (backend_id: string, more: SpecObject = {}): SpecObject => ({ backend: { backend_id }, ...more });
const shop = (edge: SpecObject, route: SpecObject): Specs => ({
  'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], ...edge },
  'HTTPSEdgeRoute/shop:/': route,
});
const mutual = { mutual_tls: { certificate_authority_ids: ['ca_a'] } };
const steps = (ours: Specs, wanted: Specs): readonly string[] => order(planOf({ ours, wanted }));

describe('where a URL that required a client certificate becomes public and gets another backend', () => {
  test('the certificate is required until the URL has the other backend', () => {
    expect(steps(shop(mutual, on('bkd_staff')), shop({}, on('bkd_www')))).toEqual([
      'HTTPSEdgeRoute/shop:/ update',
      'HTTPSEdge/shop unset mutual_tls <- HTTPSEdgeRoute/shop:/ update',
    ]);
  });

  test('and the other way round, the certificate is required first', () => {
    expect(steps(shop({}, on('bkd_www')), shop(mutual, on('bkd_staff')))).toEqual([
      'HTTPSEdge/shop update',
      'HTTPSEdgeRoute/shop:/ update <- HTTPSEdge/shop update',
    ]);
  });

  test('but with one backend, the order does not matter', () => {
    expect(steps(shop(mutual, on('bkd_www')), shop({}, on('bkd_www', { compression: {} })))).toEqual([
      'HTTPSEdge/shop unset mutual_tls',
      'HTTPSEdgeRoute/shop:/ update',
    ]);
  });
});

test('what no order keeps is neither closed nor reported for it', () => {
  // Each of the two URLs has to change before the certificate does, and after it.
  const other = (route: SpecObject): Specs => ({ 'HTTPSEdgeRoute/shop:/b': route });
  const ours = { ...shop(mutual, on('bkd_staff')), ...other(on('bkd_www', oauth)) };
  const wanted = { ...shop({ tls_termination: {} }, on('bkd_www')), ...other(on('bkd_staff', oauth)) };
  const plan = planOf({ ours, wanted });
  expect(plan.steps.some(({ role }) => role === 'prepare')).toBe(false);
  expect(hazards(plan).filter((line) => line.includes('(temporary)'))).toEqual([]);
});

test('an edge may have any number of routes whose backends change with it', () => {
  const many = (edge: SpecObject, backend_id: string): Specs => ({
    'HTTPSEdge/shop': { hostports: ['shop.example.com:443'], ...edge },
    ...Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`HTTPSEdgeRoute/shop:/${at}`, on(backend_id)])),
  });
  expect(steps(many(mutual, 'bkd_staff'), many({}, 'bkd_www')).at(-1)).toMatch(/^HTTPSEdge\/shop unset mutual_tls <- /);
});
