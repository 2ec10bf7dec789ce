import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryContext } from '../../../src/stack/library-context.ts';
import {
  mustBeCommitted,
  lastCommit,
  mustFollowApplied,
  mustNotGoBack,
  olderThanApplied,
} from '../../../src/stack/plan/older-than-applied.ts';
import type { RunRecord } from '../../../src/state/run-record.ts';
import { directory } from '../../cli/terminal.ts';
import { gitStack } from '../../support/git-stack.ts';

/** What a stack in a directory remembers of the commit that was applied last. */
const remembering = (dir: string, commit: string | undefined) =>
  ({ dir, state: commit === undefined ? {} : { applied: { commit } }, runs: undefined }) as never;

test('the commit that was applied last is that of the state, else that of the last of three runs that has one', async () => {
  const runs = (all: readonly object[]) => (most: number) =>
    Promise.resolve(all.slice(0, most) as readonly RunRecord[]);
  const of = (state: object | undefined, all: readonly object[] = []) =>
    lastCommit({ state, runs: runs(all) } as never);
  expect(await of({ applied: { commit: 'a' } }, [{ commit: 'b' }])).toBe('a');
  expect(await of({}, [{}, {}, { commit: 'b' }])).toBe('b');
  expect(await of(undefined, [{}, {}, {}, { commit: 'b' }])).toBeUndefined();
});

/** Two commits in a row, a third beside the second, and what a plan and a replica say of one after another was applied. */
async function history() {
  const { dir, git, commit } = await gitStack({ 'a.yaml': 'a: 1\n' });
  const first = git('rev-parse', 'HEAD').trim();
  const second = commit({ 'a.yaml': 'a: 2\n' });
  git('checkout', '-q', '-b', 'aside', first);
  const aside = commit({ 'a.yaml': 'a: 3\n' });
  const reported = async (head: string | undefined, last: string | undefined, at = dir) => {
    const context = libraryContext({ dir: at, env: process.env });
    const warning = await olderThanApplied(context, remembering(at, last), head);
    const refusal = await mustFollowApplied(context, remembering(at, last), head).catch((error: unknown) => error);
    return [warning?.code, (refusal as { readonly code?: string } | undefined)?.code];
  };
  return { dir, first, second, aside, reported };
}

test('manifests of a commit before the one applied last are warned of, and a replica refuses all that do not follow it', async () => {
  const { first, second, aside, reported } = await history();
  expect(await reported(first, second)).toEqual(['OLDER_THAN_APPLIED', 'BEHIND_APPLIED']);
  expect(await reported(aside, second)).toEqual([undefined, 'BEHIND_APPLIED']);
  expect(await reported(second, second)).toEqual([undefined, undefined]);
  expect(await reported(second, first)).toEqual([undefined, undefined]);
});

test('where no commit is known nobody is behind; what git cannot compare counts as behind for a replica alone', async () => {
  const { first, second, reported } = await history();
  expect(await reported(undefined, second)).toEqual([undefined, undefined]);
  expect(await reported(first, undefined)).toEqual([undefined, undefined]);
  for (const last of ['f'.repeat(40), '--all'])
    expect(await reported(first, last)).toEqual([undefined, 'BEHIND_APPLIED']);
  expect(await reported(first, second, await directory())).toEqual([undefined, 'BEHIND_APPLIED']);
});

test('an approval counts for a commit only if git can tell that it is not older than the one applied last', async () => {
  const { dir, first, second, aside } = await history();
  const ended = (head: string | undefined, last: string | undefined, at = dir, env = process.env) =>
    mustNotGoBack(libraryContext({ dir: at, env }), remembering(at, last), head).then(
      () => undefined,
      (error: unknown) => (error as { readonly code: string }).code,
    );
  for (const head of [first, second, aside, undefined]) expect(await ended(head, undefined)).toBeUndefined();
  for (const [head, last] of [
    [second, second],
    [second, first],
    [aside, second],
  ])
    expect(await ended(head, last)).toBeUndefined();
  expect(await ended(first, second)).toBe('OLDER_THAN_APPLIED');
  const unknown = 'HISTORY_NOT_AVAILABLE';
  for (const last of ['f'.repeat(40), '--all']) expect(await ended(first, last)).toBe(unknown);
  expect(await ended(undefined, second)).toBe(unknown);
  expect(await ended(first, second, await directory())).toBe(unknown);
  expect(await ended(first, second, dir, { PATH: '/nonexistent' })).toBe(unknown);
  // Whoever interrupts the run is not told to install git.
  const interrupted = libraryContext({ dir, env: process.env, signal: AbortSignal.abort() });
  await expect(mustNotGoBack(interrupted, remembering(dir, second), first)).rejects.toMatchObject({
    code: 'INTERRUPTED',
  });
});

test('in a shallow clone, nobody can tell that a commit is not older', async () => {
  const { dir, git, commit } = await gitStack({ 'a.yaml': 'a: 1\n' });
  const root = git('rev-parse', 'HEAD').trim();
  const merged = commit({ 'a.yaml': 'a: 2\n' });
  commit({ 'a.yaml': 'a: 3\n' });
  git('checkout', '-q', '-b', 'late', root);
  commit({ 'b.yaml': 'b: 1\n' });
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'merge', 'late');
  const last = git('rev-parse', 'HEAD').trim();
  const ended = (): Promise<unknown> =>
    mustNotGoBack(libraryContext({ dir, env: process.env }), remembering(dir, last), merged).catch(
      (error: unknown) => (error as { readonly code: string }).code,
    );
  expect(await ended()).toBe('OLDER_THAN_APPLIED');
  // As with a fetch of few commits: the way from the last commit to the merged one is cut, another one leads to the root.
  await writeFile(join(dir, '.git/shallow'), `${git('rev-parse', 'HEAD^1').trim()}\n`);
  expect(await ended()).toBe('HISTORY_NOT_AVAILABLE');
});

test.each([
  [true, 'UNCOMMITTED_CHANGES'],
  [false, undefined],
  [undefined, undefined],
])('a replica does not apply files that are known to have uncommitted changes: %j, %s', async (uncommitted, code) => {
  const checkout = { commit: 'c0ffee1288a9', uncommitted: () => Promise.resolve(uncommitted) };
  const ended = await mustBeCommitted(checkout).catch((error: unknown) => (error as { code: string }).code);
  expect(ended).toBe(code);
  await expect(mustBeCommitted(undefined)).resolves.toBeUndefined();
});
