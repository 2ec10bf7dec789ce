import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { extractCommit } from '../../../src/stack/git/extract-commit.ts';
import { openRepository } from '../../../src/stack/git/open-repository.ts';
import { treeEntries } from '../../../src/stack/git/tree-entries.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { directory } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

test('a file of a commit that cannot be written says why, and the others are written', async () => {
  const { dir, git } = await gitStack({ 'one.yaml': 'a: 1\n' });
  const repository = openRepository(libraryContext({ dir, env: process.env }), dir);
  if (repository === undefined) throw new Error('there is no repository');
  const [one] = await treeEntries(repository.git, git('rev-parse', 'HEAD').trim(), ['one.yaml']);
  if (one === undefined) throw new Error('the commit has no file');
  const tooLong = `${'x'.repeat(300)}.yaml`;
  const into = await directory();
  expect(await extractCommit(repository.git, [{ ...one, path: tooLong }, one, one], into)).toEqual(
    new Map([
      [tooLong, expect.stringMatching(/^cannot be written to the temporary directory:.*ENAMETOOLONG/)],
      ['one.yaml', 'differs from the name of another file only in case'],
    ]),
  );
  expect(readdirSync(into)).toEqual(['one.yaml']);
});
