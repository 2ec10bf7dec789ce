import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runGit } from '../../../src/stack/git/read-git.ts';
import { directory } from '../../cli/terminal.ts';

/** What a program in the place of git gets: its arguments, and the variables that it is started with. */
async function started(env: Readonly<Record<string, string>>) {
  const dir = await directory();
  const program = join(dir, 'git');
  writeFileSync(program, '#!/bin/sh\necho "$@"\n/usr/bin/env\n');
  chmodSync(program, 0o755);
  const options = { gitDir: dir, env: { ...env, PATH: dir }, signal: new AbortController().signal };
  const printed = (await runGit(['log'], { ...options, maxBytes: 65_536, timeoutMs: 60_000 })).toString('utf8');
  const [line = '', ...variables] = printed.trimEnd().split('\n');
  return {
    line,
    variables: Object.fromEntries(variables.map((one) => one.split(/=(.*)/s).slice(0, 2))) as Record<string, string>,
  };
}

test('git has none of the variables of whoever starts it but the path to programs', async () => {
  const { variables } = await started({
    HOME: '/home/ada',
    GIT_DIR: '/elsewhere',
    GIT_CONFIG_SYSTEM: '/elsewhere/config',
    GIT_SSH_COMMAND: 'touch /tmp/sprung',
    SLUICE_API_KEY: 'k3y',
  });
  for (const name of ['HOME', 'GIT_DIR', 'GIT_CONFIG_SYSTEM', 'GIT_SSH_COMMAND', 'SLUICE_API_KEY'])
    expect(variables).not.toHaveProperty(name);
});

test('git reads no configuration but that of the repository, asks nobody, and fetches nothing', async () => {
  const { variables } = await started({});
  expect(variables).toMatchObject({
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_OPTIONAL_LOCKS: '0',
  });
});

test('git starts no program that the configuration of the repository names', async () => {
  const { line } = await started({});
  for (const setting of ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'log.showSignature=false'])
    expect(line).toContain(`-c ${setting}`);
  expect(line).toMatch(/^--git-dir \S+ --no-pager --no-replace-objects .* log$/);
});
