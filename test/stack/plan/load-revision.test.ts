import { expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { loadRevision } from '../../../src/stack/plan/load-revision.ts';
import { directory } from '../../cli/terminal.ts';

test('outside of a git repository there is no commit to go back to', async () => {
  const dir = await directory();
  const revision = loadRevision(libraryContext({ dir, env: process.env }), { dir } as never, 'HEAD');
  await expect(revision).rejects.toThrow('rollback: the stack is not in a git repository');
});
