import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorFile } from '../../src/watch/operator-file.ts';
import { directory } from '../cli/terminal.ts';

/** A file that an operator names, and a stack in a directory of a repository. */
async function place() {
  const cwd = await directory({
    ...{ 'keys/file': 'x', 'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/file': 'x' },
    ...{ 'repo/stack/sluice.yaml': '', 'repo/stack/file': 'x' },
  });
  for (const path of ['keys/file', 'repo/file', 'repo/stack/file']) chmodSync(join(cwd, path), 0o600);
  const of = (path: string, access: 'read' | 'change' = 'read', dir = 'repo/stack'): string =>
    operatorFile({ flag: '--keys', path, access }, { cwd, dir: join(cwd, dir) });
  return { cwd, of };
}

test('a file of the operator is found from the directory of the command', async () => {
  const { cwd, of } = await place();
  expect(of('keys/file')).toBe(join(cwd, 'keys/file'));
  expect(of(join(cwd, 'keys/file'))).toBe(join(cwd, 'keys/file'));
});

test.each(['repo/stack/file', 'repo/file', 'link', 'repo/stack/out'])(
  'a file that a commit can replace is refused: %s',
  async (path) => {
    const { cwd, of } = await place();
    symlinkSync(join(cwd, 'repo/stack/file'), join(cwd, 'link'));
    symlinkSync(join(cwd, 'keys/file'), join(cwd, 'repo/stack/out'));
    expect(() => of(path)).toThrow(
      expect.objectContaining({
        message: `--keys: ${join(cwd, path)} is inside the watched repository`,
        hint: 'use a file outside the repository, which no commit can change',
      }),
    );
  },
);

test('it is refused as well where the stack is reached through a link', async () => {
  const { cwd, of } = await place();
  symlinkSync('repo/stack', join(cwd, 'current'));
  expect(() => of('repo/file', 'read', 'current')).toThrow('is inside the watched repository');
  expect(() => of('current/file', 'read', 'current')).toThrow('is inside the watched repository');
});

test('others may not read a file with a secret, and may not change one with keys', async () => {
  const { cwd, of } = await place();
  const path = join(cwd, 'keys/file');
  chmodSync(path, 0o644);
  expect(of('keys/file', 'change')).toBe(path);
  expect(() => of('keys/file')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^--keys: .* can read .*file$/) as string,
      hint: 'set its mode to 0600',
    }),
  );
  chmodSync(path, 0o666);
  expect(() => of('keys/file', 'change')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^--keys: .* can change .*file$/) as string,
      hint: 'set its mode to 0644',
    }),
  );
});

test('a file that is not there cannot be read', async () => {
  const { cwd, of } = await place();
  expect(() => of('keys/none')).toThrow(`--keys: ${join(cwd, 'keys/none')} cannot be read: `);
});
