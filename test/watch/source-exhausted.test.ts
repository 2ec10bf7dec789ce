import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { scratch, small, write } from '../support/watched-stack.ts';

// A user namespace has limits of its own, so that nobody else is left without watches.
const inNamespace = (script: string, args: readonly string[] = []) =>
  spawnSync('unshare', ['-Ur', 'sh', '-c', script, 'sh', ...args], { encoding: 'utf8', timeout: 200_000 });
const isPossible = inNamespace('echo 1 > /proc/sys/user/max_inotify_watches').status === 0;

test.skipIf(!isPossible).each([
  ['max_inotify_watches', 2, 'ENOSPC'],
  ['max_inotify_instances', 0, 'EMFILE'],
])('with %s at %i, changes are noticed by looking, and that is reported once', (limit, most, code) => {
  const root = scratch();
  const dir = write(join(root, 'stack'), { ...small, 'edges/eu/x.yaml': 'a: 1\n', 'edges/us/x.yaml': 'a: 1\n' });
  const script = join(root, 'watch.mjs');
  write(root, { 'watch.mjs': program(dir) });
  const loader = `node ${resolve('scripts/run.mjs')} ${script}`;
  const { stdout, stderr } = inNamespace(`echo ${most} > /proc/sys/user/${limit} && exec ${loader}`);
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain(`the limit of file watches is reached (${code})`);
  expect(lines.slice(1)).toEqual(['noticed 1', 'noticed 2', 'closed']);
});

function program(dir: string): string {
  const module = (path: string): string => JSON.stringify(resolve(path));
  return `
import { writeFileSync } from 'node:fs';
import { wallClock } from ${module('src/api/clock.ts')};
import { watchSource } from ${module('src/watch/source/watch-source.ts')};
const dir = ${JSON.stringify(dir)};
const source = watchSource({ dir, inputs: () => () => ['edges'], debounceMs: 10, scanMs: 50, poll: false, clock: wallClock,
  log: (level, text) => console.log(text) });
const { signal } = new AbortController();
for (const n of [1, 2]) {
  await source.read(async () => ({ value: n, files: [] }), signal);
  const changed = source.changed(signal);
  await wallClock.sleep(300);
  writeFileSync(dir + '/edges/eu/x.yaml', 'n: ' + n);
  await changed;
  console.log('noticed ' + n);
}
source.close();
console.log('closed');
`;
}
