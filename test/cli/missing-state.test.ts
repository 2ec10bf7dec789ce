import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { company, sluice, stack, stackFile } from './terminal.ts';

const env = { SLUICE_API_KEY: 'k3y' };

test('a state that is gone, beside the records of runs, is a warning until it is written again', async () => {
  const dir = await stack(company);
  const warned = async (): Promise<boolean> =>
    (await sluice(dir, 'plan', { env })).err.includes(
      'warning[STATE_MISSING]: the state is missing, although the last run',
    );
  expect(await warned()).toBe(false);
  await sluice(dir, 'apply --auto-approve', { env });
  expect(await warned()).toBe(false);
  await rm(join(dir, '.sluice/state.json'));
  expect(await warned()).toBe(true);
  await sluice(dir, 'apply --auto-approve', { env });
  expect(await warned()).toBe(false);
});

test('with another state.path, a resource without a marker is not created again unsaid, and can be recorded', async () => {
  const address = (name: string, region: string): string =>
    `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nspec: {region: ${region}, metadata: plain}\n`;
  const dir = await stack(address('mqtt', 'eu'), `${stackFile}state: {path: one/state.json}\n`);
  const planned = async () => (await sluice(dir, 'plan', { env })).err.match(/POSSIBLE_DUPLICATE.*/g) ?? [];
  expect(await planned()).toEqual([]);
  await sluice(dir, 'apply --auto-approve', { env });
  await writeFile(join(dir, 'sluice.yaml'), `${stackFile}state: {path: two/state.json}\n`);
  await writeFile(join(dir, 'manifests/company.yaml'), `${address('mqtt', 'eu')}---\n${address('ftp', 'us')}`);
  const [found = '', ...others] = await planned();
  expect([found, others]).toEqual([
    expect.stringMatching(/: this plan has no state, and (ra_\w+) has the same values/),
    [],
  ]);
  const [id = ''] = /ra_\w+/.exec(found) ?? [];
  const rebuilt = await sluice(dir, `state rebuild --id ReservedAddr/mqtt=${id}`, { env });
  expect(rebuilt).toMatchObject({ code: 0 });
  const { out, err } = await sluice(dir, 'plan', { env });
  expect(err).not.toContain('POSSIBLE_DUPLICATE');
  expect(out).toContain('1 to create; 1 API request; 1 unchanged.');
});
