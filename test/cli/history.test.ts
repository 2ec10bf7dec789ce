import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { gitStack } from '../support/git-stack.ts';
import { stackFile } from './exported.ts';
import { sluice, type Ended } from './terminal.ts';

const address = (name: string, description: string): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\nlifecycle: {protect: false}\nspec: {description: ${description}}\n`;

async function stack() {
  const { url, close } = await createEmulator({ seed: 5 }).listen();
  onTestFinished(close);
  const repository = await gitStack({
    'sluice.yaml': stackFile(url, 'completed'),
    'manifests/mqtt.yaml': address('mqtt', 'One'),
  });
  const run = (args: string, env = {}): Promise<Ended> =>
    sluice(repository.dir, args, { env: { SLUICE_API_KEY: 'right', ...env } });
  return { ...repository, run };
}

test('history lists runs with who, when, commit and what was done; one is shown with its changes and its plan', async () => {
  const { dir, run, commit, git } = await stack();
  const first = git('rev-parse', 'HEAD').trim();
  expect(await run('history')).toMatchObject({ code: 0, out: 'There are no recorded runs.\n' });
  await run('apply --auto-approve', { CI_JOB_URL: 'https://ci.example.com/jobs/7' });
  const second = commit({ 'manifests/mqtt.yaml': address('mqtt', 'Two'), 'manifests/b.yaml': address('b', 'New') });
  await run('apply --auto-approve');
  await run('apply --auto-approve');

  const { out } = await run('history');
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
  expect(rows).toEqual([
    ['RUN', 'ENDED', 'COMMAND', 'BY', 'COMMIT', 'DONE', 'NOT DONE', 'JOB'],
    [
      expect.any(String),
      expect.any(String),
      'sluice apply',
      expect.stringContaining('@'),
      second.slice(0, 12),
      '1 create 1 update',
      '-',
      '-',
    ],
    [
      expect.any(String),
      expect.any(String),
      'sluice apply',
      expect.stringContaining('@'),
      first.slice(0, 12),
      '1 create',
      '-',
      'https://ci.example.com/jobs/7',
    ],
  ]);
  const id = rows[1]?.[0] ?? '';
  const shown = await run(`history ${id}`);
  expect(shown.out).toContain(`Commit:    ${second}\n`);
  expect(shown.out).toMatch(/^Digest: {4}sha256:[0-9a-f]{64}$/m);
  expect(shown.out).toMatch(/^ReservedAddr\/mqtt +update +done +ra_\w+$/m);
  expect(shown.out).toContain('description: One -> Two');
  const { runs } = JSON.parse((await run('history --limit 1 --format json')).out) as {
    readonly runs: readonly object[];
  };
  expect(runs).toMatchObject([{ commit: second, requests: 2, interrupted: false, omitted: 0, changes: [{}, {}] }]);
  expect(await run('history ffffffff')).toMatchObject({
    code: 8,
    err: expect.stringContaining('no run has') as string,
  });

  await run('destroy --auto-approve');
  expect((await run('history')).out).toMatch(/sluice destroy .* 2 delete /);
  await run('state remove --auto-approve');
  expect(await readdir(join(dir, '.sluice'))).not.toContain('runs');
});

test('no secret is in the record of a run', async () => {
  const { dir, run, commit } = await stack();
  commit({
    'manifests/hook.yaml': `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: hook}
spec:
  hostports: [hook.example.com:443]
  description: {from_env: WHERE}
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      webhook_verification: {provider: github, secret: {from_env: HOOK}}
`,
  });
  expect(await run('apply --auto-approve', { HOOK: 'canary-hook', WHERE: 'canary-where' })).toMatchObject({ code: 0 });
  const runs = join(dir, '.sluice/runs');
  const [name = ''] = await readdir(runs);
  const { out } = await run('history --format json');
  expect(out).toContain('HTTPSEdge/hook');
  expect((await readFile(join(runs, name), 'utf8')) + out).not.toContain('canary');
});
