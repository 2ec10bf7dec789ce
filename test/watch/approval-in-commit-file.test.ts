import { createHmac } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directory, ran } from '../cli/terminal.ts';
import { signedInEdge, startWatch } from './start-watch.ts';

const at = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=eve', '-c', 'user.email=eve@example.com', ...args], {
    cwd,
    stdio: 'pipe',
    encoding: 'utf8',
  });

/** A watch in a repository, whose newest commit requires approval, and a clone of the repository. */
async function watchedRepository() {
  const watched = await startWatch(
    'prune: true',
    { 'a.yaml': signedInEdge('example.com') },
    '{block: [OPENS_ACCESS]}',
    { PATH: process.env['PATH'] ?? '' },
    (dir) => {
      at(dir, 'init', '-q', '-b', 'main');
      writeFileSync(join(dir, '.gitignore'), '.sluice/\n');
      at(dir, 'add', '-A');
      at(dir, 'commit', '-q', '-m', 'The shop');
      return [];
    },
  );
  const { dir, log, until, status } = watched;
  await until(() => log().includes('HTTPSEdgeRoute/shop:/: done'));
  const clone = join(await directory(), 'clone');
  at(dir, 'clone', '-q', dir, clone);
  writeFileSync(join(clone, 'manifests/a.yaml'), signedInEdge('example.com, partner.example'));
  at(clone, 'commit', '-q', '-a', '-m', 'A partner');
  at(dir, 'pull', '-q', clone, 'main');
  await until(async () => (await status().catch(() => undefined))?.approval_digest !== undefined);
  const { approval_digest: digest = '' } = await status();
  return { ...watched, clone, digest };
}

test('a commit that contains the file in which approvals are recorded approves nothing, and a person still can', async () => {
  const watched = await watchedRepository();
  const { dir, env, log, until, emulator, clone, digest } = watched;
  const approval = { digest, by: 'ada', at: Date.now() };
  mkdirSync(join(clone, '.sluice'));
  const proofs = [{}, { proof: '' }, { proof: 'a'.repeat(43) }];
  for (const [index, more] of proofs.entries()) {
    const approvals = [{ ...approval, at: approval.at + index, ...more }];
    writeFileSync(join(clone, '.sluice/watch-requests.json'), `${JSON.stringify({ format: 1, approvals })}\n`);
    at(clone, 'add', '-f', '.sluice');
    at(clone, 'commit', '-q', '-m', 'Nothing to see');
    at(dir, 'pull', '-q', clone, 'main');
    await until(() => log().split('was not recorded by').length > index + 1);
  }
  expect(log()).not.toContain('"event":"approved"');
  expect(emulator.log.filter(({ method }) => method === 'PATCH')).toEqual([]);
  expect(await ran(dir, ['approve', digest, '--auto-approve'], { env })).toMatchObject({ code: 0 });
  await until(() => log().includes('"event":"approved"'));
  await watched.stop();
});

test('a commit that replaces the watch state and the pauses ends no pause, its watch state is not loaded, and `resume` still works', async () => {
  const watched = await watchedRepository();
  const { dir, env, log, until, status, emulator, clone, digest } = watched;
  expect(await ran(dir, ['pause'], { env })).toMatchObject({ code: 0 });
  await until(async () => (await status()).role === 'paused');
  const text = readFileSync(join(dir, '.sluice/watch-state.json'), 'utf8');
  const salt = 'known to whoever pushes';
  const approval = { digest, by: 'ada', at: Date.now() };
  const proof = createHmac('sha256', salt)
    .update(JSON.stringify([digest, approval.by, approval.at, '']))
    .digest('base64url');
  mkdirSync(join(clone, '.sluice'));
  const committed = JSON.stringify({ ...(JSON.parse(text) as object), salt });
  writeFileSync(join(clone, '.sluice/watch-state.json'), committed);
  const requests = { format: 1, approvals: [{ ...approval, proof }] };
  writeFileSync(join(clone, '.sluice/watch-requests.json'), JSON.stringify(requests));
  at(clone, 'add', '-f', '.sluice');
  at(clone, 'commit', '-q', '-m', 'Nothing to see');
  at(dir, 'pull', '-q', clone, 'main');
  await until(() => log().includes('"event":"pause-kept"'));
  await until(() => /watch-state.json is damaged, was removed or replaced/.test(log()));
  await until(() => readFileSync(join(dir, '.sluice/watch-state.json'), 'utf8') !== committed);
  expect(await ran(dir, ['resume'], { env })).toMatchObject({ code: 0 });
  await until(async () => (await status()).role === 'leader');
  expect(log()).not.toContain('"event":"approved"');
  expect(emulator.log.filter(({ method }) => method === 'PATCH')).toEqual([]);
  await watched.stop();
});

test.each(['watch-state.json', 'watch-requests.json', 'state.json'])(
  'a watch does not start with a %s that is part of the commit',
  async (name) => {
    const watched = await startWatch('prune: true', {}, undefined, { PATH: process.env['PATH'] ?? '' }, (dir) => {
      mkdirSync(join(dir, '.sluice'));
      writeFileSync(join(dir, '.sluice', name), '{}\n');
      at(dir, 'init', '-q', '-b', 'main');
      at(dir, 'add', '-A');
      at(dir, 'commit', '-q', '-m', 'Nothing to see');
      return [];
    });
    await watched.until(() => watched.log().includes('is part of commit'));
    const { code, err } = await watched.stop();
    expect([code, err]).toEqual([8, expect.stringContaining(`.sluice/${name} is part of commit`)]);
  },
);
