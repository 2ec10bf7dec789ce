import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { directory, sluice } from '../cli/terminal.ts';
import { address, env, signedInEdge as edge, stackFile, startWatch } from './start-watch.ts';

test('a new revision is applied, drift is put right, and a stop ends it in good order', async () => {
  const watched = await startWatch('heal_drift: true', { 'a.yaml': address('brokers') });
  await watched.until(async () => (await watched.described()) === 'brokers');
  await watched.write('a.yaml', address('office'));
  await watched.until(async () => (await watched.described()) === 'office');
  await watched.byHand({ description: 'by hand' });
  expect(await watched.described()).toBe('by hand');
  await watched.until(async () => (await watched.described()) === 'office');
  const ended = await watched.stop();
  expect(ended.code).toBe(130);
  expect(ended.err).toContain('"event":"ended"');
});

test('a stop while requests wait for the pace of the service is no failure of theirs', async () => {
  const pace = '{max_deletes: 1}\napi: {rate_limit: 60/20s}';
  const many = Array.from({ length: 12 }, (_, n) => address(`number ${n}`).replace('mqtt', `mqtt-${n}`));
  const watched = await startWatch('prune: false', { 'a.yaml': many.join('---\n') }, pace);
  const posts = (): number => watched.emulator.log.filter(({ method }) => method === 'POST').length;
  await watched.until(() => posts() > 0);
  const { code, err } = await watched.stop();
  expect(code).toBe(130);
  expect(posts()).toBeLessThan(12);
  expect(err).not.toContain('"event":"failed"');
});

test('what opens access waits until a person approves just that', async () => {
  const watched = await startWatch('prune: true', { 'a.yaml': edge('example.com') }, '{block: [OPENS_ACCESS]}');
  await watched.until(() => watched.log().includes('HTTPSEdgeRoute/shop:/: done'));
  await watched.write('a.yaml', edge('example.com, partner.example'));
  await watched.until(() => watched.log().includes('"event":"approval"'));
  expect(watched.emulator.log.filter(({ method }) => method === 'PATCH')).toEqual([]);
  const other = await sluice(watched.dir, `approve sha256:${'0'.repeat(64)}`, { env });
  expect(other.code).toBe(4);
  const digest = /sluice approve (sha256:[0-9a-f]{64})/.exec(watched.log())?.[1] ?? '';
  expect(await sluice(watched.dir, `approve ${digest} --yes`, { env })).toMatchObject({ code: 0 });
  await watched.until(() => watched.emulator.log.some(({ method }) => method === 'PATCH'));
  await watched.stop();
});

test('the policy of the operator is read again when it changes', async () => {
  const rule = '{name: staff, urls: ["*.example.com/*"], require: [named_users]}';
  const operator = join(
    await directory({ 'operator.yaml': `version: 1\naccess: {rules: [${rule}]}\n` }),
    'operator.yaml',
  );
  const watched = await startWatch('prune: true', { 'a.yaml': edge('example.com') }, undefined, {
    SLUICE_OPERATOR_POLICY: operator,
  });
  const patched = (): boolean => watched.emulator.log.some(({ method }) => method === 'PATCH');
  await watched.until(() => watched.log().includes('HTTPSEdgeRoute/shop:/: done'));
  await watched.write('a.yaml', edge(''));
  await watched.until(() =>
    watched.log().includes('access rule staff (set by the operator policy) does not allow the change'),
  );
  expect(patched()).toBe(false);
  await writeFile(operator, 'version: 1\n');
  await watched.until(patched);
  await watched.stop();
});

test('a broken manifest and an emptied directory delete nothing, and what is sound goes on', async () => {
  const watched = await startWatch('prune: true', { 'a.yaml': address('brokers'), 'b.yaml': edge('example.com') });
  await watched.until(() => watched.log().includes('HTTPSEdgeRoute/shop:/: done'));
  await watched.write('b.yaml', 'kind: [');
  await watched.write('a.yaml', address('still applied'));
  await watched.until(async () => (await watched.described()) === 'still applied');
  await rm(join(watched.dir, 'manifests'), { recursive: true });
  await watched.until(() => /NO_MANIFESTS|FILE_NOT_FOUND/.test(watched.log()));
  await watched.stop();
  expect(watched.emulator.log.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('state inside a tree that is reached through a link is refused', async () => {
  const dir = await directory({ 'real/sluice.yaml': stackFile('prune: false'), 'real/manifests/a.yaml': address('x') });
  await symlink(join(dir, 'real'), join(dir, 'current'));
  const ended = await sluice(dir, 'watch current --no-listen', { env });
  expect(ended.code).toBe(8);
  expect(ended.err).toContain('set state.path in sluice.yaml to an absolute path');
});
