import { expect, test } from 'vitest';
import { collectionPath, hasOwnPath, itemPath, offers, pathText, mayUse } from '../../../src/derive/wire/operations.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Group } from '../../../src/kinds/kind.ts';

const edge = kinds.named('HTTPSEdge')!;
const route = kinds.named('HTTPSEdgeRoute')!;
const saml = route.fields['saml'] as Group;
const oauth = route.fields['oauth'] as Group;

test('a profile trusts what is described; only one trusts what is completed', () => {
  expect(mayUse('documented', 'described')).toBe(true);
  expect(mayUse('documented', 'completed')).toBe(false);
  expect(mayUse('completed', 'completed')).toBe(true);
  expect(mayUse('completed', undefined)).toBe(false);
});

test('under `documented` an edge cannot be listed or updated, and a route only be made', () => {
  expect(offers(edge, 'completed')).toEqual({ get: true, list: true, update: true, delete: true });
  expect(offers(edge, 'documented')).toEqual({ get: true, list: false, update: false, delete: true });
  expect(offers(route, 'completed')).toEqual({ get: true, list: false, update: true, delete: true });
  expect(offers(route, 'documented')).toEqual({ get: false, list: false, update: false, delete: false });
});

test('three modules have a path of their own in the description, the others in the completions', () => {
  const modules = Object.entries(route.fields).filter(([, field]) => field.is === 'group') as [string, Group][];
  const documented = modules.filter(([, group]) => hasOwnPath(group, 'documented')).map(([name]) => name);
  expect(documented.sort()).toEqual(['ip_restriction', 'saml', 'webhook_verification']);
  expect(modules.filter(([, group]) => hasOwnPath(group, 'completed'))).toHaveLength(13);
  const { path: _, ...pathless } = oauth;
  expect(hasOwnPath(pathless, 'completed')).toBe(false);
});

test('a path is the collection, the id, and the module', () => {
  expect(pathText(collectionPath(edge))).toBe('/edges/https');
  expect(pathText(itemPath(edge, { id: 'edghts_1' }))).toBe('/edges/https/edghts_1');
  const inEdge = { id: 'edghts_1' };
  expect(pathText(collectionPath(route, inEdge))).toBe('/edges/https/edghts_1/routes');
  expect(pathText(itemPath(route, { id: 'edghtsrt_2' }, inEdge, saml))).toBe(
    '/edges/https/edghts_1/routes/edghtsrt_2/saml',
  );
});

test('a kind inside another has no path without it', () => {
  expect(() => collectionPath(route)).toThrow('HTTPSEdgeRoute is part of another resource');
});

test('ids are encoded, those not known yet looked up or shown as the address in braces', () => {
  expect(pathText(itemPath(edge, { id: '../a b?' }))).toBe('/edges/https/..%2Fa%20b%3F');
  const unknown = itemPath(route, { id: 'r' }, { idOf: 'HTTPSEdge/shop' });
  expect(pathText(unknown)).toBe('/edges/https/{HTTPSEdge/shop}/routes/r');
  expect(pathText(unknown, () => 'edghts/1')).toBe('/edges/https/edghts%2F1/routes/r');
});
