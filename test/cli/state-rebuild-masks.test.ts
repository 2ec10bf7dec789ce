import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, sluice, stack } from './terminal.ts';

test('state rebuild keeps a resource without a marker, of which nothing else knows', async () => {
  const env = { HOOK: 'canary-of-a-variable', SLUICE_API_KEY: 'key' };
  const unmarked = company.replace('description: Sensors', 'description: Sensors, metadata: {from_env: HOOK}');
  const dir = await stack(unmarked);
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  expect(await sluice(dir, 'state rebuild', { env })).toMatchObject({ code: 0 });
  expect((await sluice(dir, 'export', { env })).out).toContain('metadata: {from_env: HOOK}');
});

test.each([
  ['writes another value out', company],
  ['leaves the field out', company.replace(', description: Sensors', '')],
])('state rebuild keeps masked what state knows to come from outside, where the manifest %s', async (_, after) => {
  const env = { HOOK: 'canary-of-a-variable', SLUICE_API_KEY: 'key' };
  const dir = await stack(company.replace('Sensors', '{from_env: HOOK}'));
  expect(await sluice(dir, 'apply --auto-approve', { env })).toMatchObject({ code: 0 });
  writeFileSync(join(dir, 'manifests/company.yaml'), after);
  const ended = [];
  for (const line of ['state rebuild', 'plan --format json --requests', 'plan', 'export', 'get ReservedAddr -o yaml'])
    ended.push(await sluice(dir, line, { env }));
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(JSON.stringify(ended)).not.toContain('canary');
  expect(ended[1]?.out).toContain('"from_env": "HOOK"');
  expect(readFileSync(join(dir, '.sluice/state.json'), 'utf8')).not.toContain('canary');
});
