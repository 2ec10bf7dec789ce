import { join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { directory, sluice } from '../../cli/terminal.ts';
import { stackFiles, startFleet } from './start-fleet.ts';

test('the terminal shows the stacks of a fleet, one of them, and that of the directory, with the same exit codes', async () => {
  const { dir, url, env, conditions } = await startFleet({
    ...stackFiles('team/a', 'a', '0000000a'),
    'broken/sluice.yaml': 'version: 1\nstack: {name',
  });
  await until(async () => {
    const { 'team/a': a, broken } = await conditions();
    return a === 'in-sync' && broken === 'action-required';
  });
  const nowhere = await directory();
  const all = await sluice(nowhere, `status --url ${url}`);
  expect(all.code).toBe(1);
  const [headline, groups, table = ''] = all.out.trimEnd().split('\n\n');
  expect(headline).toBe('1 of 2 stacks requires action: 1 stack: stack cannot be watched.');
  expect(groups).toBe('1 stack: stack cannot be watched\n1 stack: in sync');
  const [head, ...rows] = table.split('\n');
  expect(head).toMatch(/^CONDITION +STACK +SINCE +OBSERVED/);
  expect(rows[0]).toMatch(/^action-required +broken .* Stack cannot be watched\. sluice\.yaml:2: /);
  expect(rows[1]).toMatch(/^in-sync +team\/a .* In sync$/);
  for (const one of [
    await sluice(nowhere, `status team/a --url ${url}/`),
    await sluice(nowhere, `status team/a --url ${url}/status.json`),
    await sluice(join(dir, 'team/a'), 'status', { env }),
  ]) {
    expect([one.code, one.err]).toEqual([0, '']);
    expect(one.out).toMatch(/^Ready: True \(InSync\): 1 resource in sync\n/);
  }
  const json = await sluice(nowhere, `status team/a --url ${url} --format json`);
  expect(JSON.parse(json.out)).toMatchObject({ stack: { name: 'a' }, role: 'leader' });
  const list = `run \`sluice status --url ${url}/\` to`;
  for (const [words, why, hint] of [
    [`status none --url ${url}`, '404 not found', `${list} list the stacks of that watch`],
    [
      `status broken --url ${url}`,
      '503 SYNTAX_ERROR',
      `the watch is running, but cannot return a status for the reason in the message; ${list} see what to do for each stack`,
    ],
    [`status --url ${url}/healthz`, '404', 'pass the URL of the status page of `sluice watch`'],
    [
      'status --url http://127.0.0.1:1',
      'connect ECONNREFUSED 127.0.0.1:1',
      'check the URL, and check that `sluice watch` runs there',
    ],
  ] as const) {
    const ended = await sluice(nowhere, words);
    expect([ended.code, ended.out]).toEqual([1, '']);
    expect(ended.err).toContain(why);
    expect(ended.err).toContain(hint);
  }
});

test('without a watch, the terminal shows where it looked', async () => {
  const dir = await directory(stackFiles('a', 'a', '0000000a'));
  const ended = await sluice(join(dir, 'a'), 'status', { env: { SLUICE_API_KEY: 'k', SLUICE_BASE_URL: 'embedded' } });
  expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('no process listens at') as string]);
  expect(ended.err).toContain('--url');
});
