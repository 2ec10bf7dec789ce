import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitSubject } from '../../../src/watch/source/git-subject.ts';
import { gitStack } from '../../support/git-stack.ts';

const goesOn = new AbortController().signal;
const env = { PATH: process.env['PATH'] };

test.each([
  ['Open the shop', 'Open the shop'],
  ['  Open the shop \n\nas everybody wants it\n', 'Open the shop'],
  ['x'.repeat(201), 'x'.repeat(200)],
  ['', undefined],
])(
  'the subject of a commit is the first line of its message, at most 200 characters of it: %j',
  async (message, subject) => {
    const { dir, git } = await gitStack({});
    git('commit', '-q', '--allow-empty', '--allow-empty-message', '--cleanup=verbatim', '-m', message);
    const commit = git('rev-parse', 'HEAD').trim();
    expect(await gitSubject({ commit, gitDir: join(dir, '.git') }, env, goesOn)).toBe(subject);
  },
);

test('it is not known without a repository, for a commit that is not there, or without git', async () => {
  const { dir, git } = await gitStack({});
  const commit = git('rev-parse', 'HEAD').trim();
  const gitDir = join(dir, '.git');
  expect(await gitSubject({ commit }, env, goesOn)).toBeUndefined();
  expect(await gitSubject({ commit: '0'.repeat(40), gitDir }, env, goesOn)).toBeUndefined();
  expect(await gitSubject({ commit, gitDir }, { PATH: '' }, goesOn)).toBeUndefined();
});
