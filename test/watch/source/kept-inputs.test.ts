import { expect, test } from 'vitest';
import type { FileDigest } from '../../../src/watch/source/file-digests.ts';
import { keptInputs } from '../../../src/watch/source/kept-inputs.ts';

test('the inputs that a stack file names are read again after a write to it, or in another directory', () => {
  let reads = 0;
  const inputsOf = keptInputs((dir) => {
    const read = `${dir} ${String((reads += 1))}`;
    return () => [read];
  });
  const file: FileDigest = { digest: 'a', stamp: '1', changedAt: 0 };
  const asked = (dir: string, change: Partial<FileDigest> = {}): string =>
    inputsOf(dir, { ...file, ...change })[0] ?? '';
  expect([asked('/one'), asked('/one', { changedAt: 7 })]).toEqual(['/one 1', '/one 1']);
  expect([asked('/one', { stamp: '2' }), asked('/one')]).toEqual(['/one 2', '/one 3']);
  expect([asked('/one', { digest: 'b' }), asked('/one')]).toEqual(['/one 4', '/one 5']);
  expect([asked('/two'), asked('/two')]).toEqual(['/two 6', '/two 6']);
});
