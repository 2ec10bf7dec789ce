/* A module that is to be removed, and that the service says it does not have. */
import { expect, test } from 'vitest';
import { harness } from '../support/harness.ts';
import { shopWith } from '../support/shop-edge.ts';

const edge = (more: string) =>
  shopWith(`
    {match_type: path_prefix, match: /, backend: {backend_id: bkd_app}${more}},
    {match_type: path_prefix, match: /api, backend: {backend_id: bkd_api}${more}}
  `);

test.each([404, 405])('is removed where its route no longer has it, whatever the response: %i', async (status) => {
  const walk = harness();
  await walk.converge(edge(', compression: {}'));
  const { plan } = await walk.plan(edge(''));
  walk.emulator.intercept(async ({ method }, next) => {
    if (method !== 'DELETE') return next();
    await next();
    return { status, headers: {}, body: '{"msg": "there is no such module"}' };
  });
  const { changes } = await walk.apply(plan);
  expect(changes.map(({ ending }) => ending)).toEqual(['done', 'done']);
  await walk.converge(edge(''));
});
