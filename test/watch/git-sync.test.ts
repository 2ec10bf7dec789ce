/*
 * A directory as git-sync keeps it: worktrees named by their commits, and a link that is moved from one to the next.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notBuilt } from '../support/processes.ts';
import { address, addresses } from './company-files.ts';
import { eventually, shared, type Shared } from './replicas.ts';

describe.skipIf(notBuilt !== '')(`a tree that git-sync swaps${notBuilt}`, () => {
  test.each([
    ['named', (current: string) => ({ args: [current] })],
    ['where it runs, as a shell names it', (current: string) => ({ cwd: current, env: { PWD: current } })],
  ])('is followed when its link is %s; state, lock and operator requests stay outside', async (_, start) => {
    const stack = await shared('');
    const current = swap(stack, 'a'.repeat(40), addresses('mqtt'));
    const watch = stack.watch('first', start(current));
    await watch.says('ReservedAddr/mqtt: done');
    swap(stack, 'b'.repeat(40), address('mqtt', 'Sensors'), 'a'.repeat(40));
    await eventually(() => stack.described().includes('Sensors'), watch.log);
    await stack.run(current, ['pause', '--for', '1h']);
    await watch.says('paused until');
    swap(stack, 'c'.repeat(40), addresses('mqtt', 'ssh'), 'b'.repeat(40));
    const before = watch.log().length;
    await stack.run(current, ['resume']);
    await watch.says('ReservedAddr/ssh: done', before);
    const applied = (): string => readFileSync(join(stack.kept, 'state.json'), 'utf8');
    await eventually(() => applied().includes(`"commit": "${'c'.repeat(40)}"`), watch.log);
    // A commit that changes nothing is applied as well.
    swap(stack, 'd'.repeat(40), addresses('mqtt', 'ssh'), 'c'.repeat(40));
    await eventually(() => applied().includes(`"commit": "${'d'.repeat(40)}"`), watch.log);
    watch.child.kill('SIGTERM');
    expect(await watch.ended).toMatchObject({ code: 130 });
    expect(readdirSync(current)).toEqual(['manifests', 'sluice.yaml']);
    expect(readdirSync(stack.kept)).toEqual(
      expect.arrayContaining(['state.json', 'watch-state.json', 'watch-requests.json']),
    );
  });

  test.each(['a'.repeat(40), `rev-${'b'.repeat(40)}`])(
    'is not watched by the name of a worktree (%s)',
    async (commit) => {
      const stack = await shared('');
      swap(stack, commit, addresses('mqtt'));
      const { code, err } = await stack.watch('first', { args: [join(stack.dir, commit)] }).ended;
      expect(code).toBe(8);
      expect(err).toContain('watch the link that git-sync updates');
    },
  );

  test('is not watched when its state would lie in it, by whatever path', async () => {
    const stack = await shared('');
    const current = swap(stack, 'a'.repeat(40), addresses('mqtt'));
    for (const path of [
      '.sluice/state.json',
      join(current, 'kept/state.json'),
      join(stack.dir, 'a'.repeat(40), 'state.json'),
    ]) {
      const file = join(current, 'sluice.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace(/state: .*/, `state: {path: ${path}}`));
      const { code, err } = await stack.watch('first', { args: [current] }).ended;
      expect([code, err]).toEqual([8, expect.stringContaining('state.path is inside the watched tree')]);
    }
  });
});

/** Makes the worktree of a commit, moves the link to it, and removes the one before. Answers the link. */
function swap({ dir }: Shared, commit: string, manifests: string, before?: string): string {
  const current = join(dir, 'current');
  mkdirSync(join(dir, commit, 'manifests'), { recursive: true });
  writeFileSync(join(dir, commit, 'sluice.yaml'), readFileSync(join(dir, 'sluice.yaml')));
  writeFileSync(join(dir, commit, 'manifests/all.yaml'), manifests);
  symlinkSync(commit, `${current}.next`);
  renameSync(`${current}.next`, current);
  if (before !== undefined) rmSync(join(dir, before), { recursive: true });
  return current;
}
