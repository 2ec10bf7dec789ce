import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ran } from '../cli/terminal.ts';
import { address, startWatch } from './start-watch.ts';

test('a change that is not committed names the commit as the one below it', async () => {
  let commit = '';
  const { dir, env, page, write, until, status, stop } = await startWatch(
    'apply_on_change: false',
    { 'a.yaml': address('brokers') },
    undefined,
    { PATH: process.env['PATH'] ?? '' },
    (at) => {
      const git = (...args: string[]): string =>
        execFileSync('git', args, { cwd: at, stdio: 'pipe', encoding: 'utf8' });
      git('init', '-q', '-b', 'main');
      writeFileSync(join(at, '.gitignore'), '.sluice/\n');
      git('add', '-A');
      git('-c', 'user.name=ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'Brokers');
      commit = git('rev-parse', 'HEAD').trim();
      return [];
    },
  );
  await until(async () => (await status().catch(() => undefined))?.pending.length === 1);
  expect((await status()).observed_revision).toEqual(expect.not.objectContaining({ uncommitted_changes: true }));
  await write('a.yaml', address('others'));
  await until(async () => (await status()).pending[0]?.introduced_by?.uncommitted_changes === true);
  const after = await status();
  expect(after.observed_revision).toMatchObject({ commit, uncommitted_changes: true });
  const shown = (await (await fetch(`${page()}/`)).text()).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
  expect(shown).toContain(`Cause: uncommitted changes on top of commit ${commit.slice(0, 7)}`);
  expect((await ran(dir, ['status'], { env })).out).toContain(
    `introduced by uncommitted changes on top of ${commit.slice(0, 7)}`,
  );
  await stop();
});
