import { expect, test } from 'vitest';
import { accessRows } from '../../../src/render/plan/access-changes.ts';
import { backend, oauth, planOf, type Specs } from '../support.ts';

const edge = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
const open = { ...edge, 'HTTPSEdgeRoute/shop:/': backend };
const behindSignIn = { ...edge, 'HTTPSEdgeRoute/shop:/': { ...backend, ...oauth } };

function changesOf(ours: Specs, wanted: Specs): object[] {
  return planOf({ ours, wanted }).exposureChanges.map(({ urls, before, after }) => ({
    urls,
    before: [before.audience, ...before.requires],
    after: [after.audience, ...after.requires],
  }));
}

const urls = ['https://shop.example.com/…'];

test('a plan lists who can reach what only where it changes that', () => {
  expect(changesOf({}, open)).toEqual([{ urls, before: ['nobody'], after: ['public'] }]);
  expect(changesOf({}, behindSignIn)).toEqual([{ urls, before: ['nobody'], after: ['restricted', 'authentication'] }]);
  expect(changesOf(behindSignIn, open)).toEqual([
    { urls, before: ['restricted', 'authentication'], after: ['public'] },
  ]);
  expect(changesOf(open, {})).toEqual([{ urls, before: ['public'], after: ['nobody'] }]);
  expect(changesOf(open, open)).toEqual([]);
  expect(changesOf(open, { ...open, 'HTTPSEdgeRoute/shop:/': { ...backend, compression: {} } })).toEqual([]);
});

test('a URL that reaches another backend is listed, with both', () => {
  const other = { ...edge, 'HTTPSEdgeRoute/shop:/': { backend: { backend_id: 'bkd_other' } } };
  const [change, ...more] = planOf({ ours: open, wanted: other }).exposureChanges;
  expect([change?.urls, change?.before.backend, change?.after.backend]).toEqual([urls, 'bkd_app', 'bkd_other']);
  expect(more).toEqual([]);
});

test('a new edge of 100 protected routes has one entry for each, and an unchanged edge none', () => {
  const routes = Array.from({ length: 100 }, (_, n) => [
    `HTTPSEdgeRoute/shop:/r${String(n)}`,
    { ...backend, ...oauth },
  ]);
  const many = { ...edge, ...(Object.fromEntries(routes) as Specs) };
  expect(changesOf({}, many)).toHaveLength(100);
  expect(changesOf(many, { ...many, 'ReservedAddr/mqtt': {} })).toEqual([]);
});

test('a comment has one row for a URL that is opened and becomes public, and one for new URLs behind a sign-in', () => {
  const rows = (ours: Specs, wanted: Specs): object[] =>
    accessRows(planOf({ ours, wanted })).map(({ what, hazards, urls: shown, routes }) => ({
      what,
      codes: hazards.map(({ code }) => code),
      urls: shown,
      routes,
    }));
  expect(rows(behindSignIn, open)).toEqual([
    { what: 'becomes public', codes: ['EXPOSES_PUBLICLY', 'OPENS_ACCESS'], urls, routes: [] },
  ]);
  const admitting = (domain: string): Specs => ({
    ...edge,
    'HTTPSEdgeRoute/shop:/': { ...backend, oauth: { provider: { google: { email_domains: [domain] } } } },
  });
  expect(rows(admitting('acme.example'), admitting('other.example'))).toMatchObject([
    { what: 'open to different clients', codes: ['OPENS_ACCESS', 'RESTRICTS_ACCESS'] },
  ]);
  const staff = { 'HTTPSEdgeRoute/shop:/staff': { ...backend, ...oauth } };
  const added = { what: 'new', codes: [], urls: ['https://shop.example.com/staff…'], routes: Object.keys(staff) };
  expect(rows(behindSignIn, { ...behindSignIn, ...staff })).toEqual([added]);
  expect(rows(edge, { ...edge, ...staff })).toEqual([added]);
});
