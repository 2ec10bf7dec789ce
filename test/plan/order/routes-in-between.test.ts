/* During an apply, no route handles requests that it handles neither before nor after, where an order of the steps keeps that. */
import { describe, expect, test } from 'vitest';
import type { SpecObject } from '../../../src/kinds/value.ts';
import { backend, oauth, order, planOf, type Specs } from '../support.ts';

const shop = { hostports: ['shop.example.com:443'] };
const edge = { 'HTTPSEdge/shop': shop };
const restricted = { ...backend, ...oauth };

describe('requests are not handled in between by a third route that lets in more clients', () => {
  const of = (domain: string): SpecObject => ({
    ...backend,
    oauth: { provider: { google: { email_domains: [domain] } } },
  });
  const shopWith = (admin: string, more: Specs = {}): Specs => ({
    ...edge,
    'HTTPSEdgeRoute/shop:/': restricted,
    [`HTTPSEdgeRoute/shop:${admin}`]: of('example.com'),
    ...more,
  });
  const created = 'HTTPSEdgeRoute/shop:/admin/ create';
  const deleted = `HTTPSEdgeRoute/shop:/admin delete <- ${created}`;

  test('if an order of the steps allows that', () => {
    expect(order(planOf({ ours: shopWith('/admin'), wanted: shopWith('/admin/') }))).toEqual([created, deleted]);
  });

  test('also where no order keeps another URL so', () => {
    const [old, young] = ['HTTPSEdgeRoute/shop:old', 'HTTPSEdgeRoute/shop:young'];
    const ours = shopWith('/admin', {
      [old]: { match: '/x', ...of('a.com') },
      [young]: { match: '/y', ...of('b.com') },
    });
    const wanted = shopWith('/admin/', { [young]: { match: '/x', ...of('a.com') } });
    expect(order(planOf({ ours, wanted }))).toEqual([
      created,
      deleted,
      `${old} delete`,
      `${young} update <- ${old} delete`,
    ]);
  });
});

test.each<{ what: string; foreign: Specs }>([
  { what: 'a hostport that nothing serves', foreign: {} },
  {
    what: 'a hostport that an open edge of others serves',
    foreign: { 'HTTPSEdge/theirs': { hostports: ['*.example.com:443'] }, 'HTTPSEdgeRoute/theirs:/': backend },
  },
])('$what arrives once its route refuses whom it is to refuse', ({ foreign }) => {
  const shopWith = (hostports: readonly string[], google: SpecObject): Specs => ({
    'HTTPSEdge/shop': { hostports },
    'HTTPSEdgeRoute/shop:/': { ...backend, oauth: { provider: { google } } },
  });
  const [ours, wanted] = [shopWith([], {}), shopWith(shop.hostports, { email_domains: ['example.com'] })];
  expect(order(planOf({ ours, wanted, foreign }))).toEqual([
    'HTTPSEdgeRoute/shop:/ update',
    'HTTPSEdge/shop update <- HTTPSEdgeRoute/shop:/ update',
  ]);
});

test('also beside a hostport that a third edge serves in between, whatever the order', () => {
  const staff = { ...backend, oauth: { provider: { google: { email_domains: ['example.com'] } } } };
  const moving = (from: readonly string[], to: readonly string[], admin: string): Specs => ({
    'HTTPSEdge/from': { hostports: from },
    'HTTPSEdgeRoute/from:/': staff,
    'HTTPSEdge/to': { hostports: to },
    'HTTPSEdgeRoute/to:/': staff,
    'HTTPSEdge/all': { hostports: ['*.example.com:443'] },
    'HTTPSEdgeRoute/all:/': restricted,
    [`HTTPSEdgeRoute/all:${admin}`]: staff,
  });
  const [here, there] = [['shop.example.com:443'], []];
  const plan = planOf({ ours: moving(here, there, '/admin'), wanted: moving(there, here, '/admin/') });
  expect(order(plan)).toEqual([
    'HTTPSEdge/from update',
    'HTTPSEdge/to update <- HTTPSEdge/from update',
    'HTTPSEdgeRoute/all:/admin/ create <- HTTPSEdge/to update',
    'HTTPSEdgeRoute/all:/admin delete <- HTTPSEdge/to update, HTTPSEdgeRoute/all:/admin/ create',
  ]);
});
