/* A route may name its edge by id, also an edge that this stack manages. */
import { expect, test } from 'vitest';
import { backend, hazards, idOf, oauth, order, planOf, type Specs } from '../support.ts';

const edge: Specs = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const inShop = { edge_id: idOf('HTTPSEdge/shop') };
const ours: Specs = { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } };

test('what a route opens is reported, also if its manifest has the id of an edge of this stack', () => {
  const wanted = { ...ours, 'HTTPSEdgeRoute/edghts_shop:/blog': { ...inShop, ...backend } };
  expect(hazards(planOf({ ours, wanted }))).toEqual([
    'EXPOSES_PUBLICLY HTTPSEdge/shop: https://shop.example.com/blog… becomes public: anyone can reach it',
    'OPENS_ACCESS HTTPSEdgeRoute/edghts_shop:/blog: requests to https://shop.example.com/blog… are no longer subject to authentication',
  ]);
});

test('so is what it opens of an edge that the plan does not target', () => {
  const wanted = { 'HTTPSEdgeRoute/edghts_shop:/blog': { ...inShop, ...backend } };
  expect(hazards(planOf({ ours, wanted, whole: false }))).toHaveLength(2);
});

test('such a route is created after the one that protects a part of its requests', () => {
  const wanted = {
    ...edge,
    'HTTPSEdgeRoute/edghts_shop:/': { ...inShop, ...backend },
    'HTTPSEdgeRoute/shop:/admin': { ...backend, ...oauth },
  };
  expect(order(planOf({ ours: edge, wanted }))).toEqual([
    'HTTPSEdgeRoute/shop:/admin create',
    'HTTPSEdgeRoute/edghts_shop:/ create <- HTTPSEdgeRoute/shop:/admin create',
  ]);
});
