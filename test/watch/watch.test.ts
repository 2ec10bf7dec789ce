import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { directory, sluice, type Ended } from '../cli/terminal.ts';

const env = { SLUICE_API_KEY: 'k3y' };

const stackFile = (watch: string, policy = '{max_deletes: 1}'): string => `version: 1
stack: {name: company, id: 5c1e7a90}
manifests: [manifests]
policy: ${policy}
watch: {${watch}, interval: 1s, debounce: 1s, scan_interval: 1s}
`;

const edge = (domains: string): string => `apiVersion: sluice/v1
kind: HTTPSEdge
metadata: {name: shop}
spec:
  hostports: [shop.example.com:443]
  routes:
    - match_type: path_prefix
      match: /
      backend: {backend_id: bkd_1}
      oauth: {provider: {google: {email_domains: [${domains}]}}}
`;

const address = (description: string): string => `apiVersion: sluice/v1
kind: ReservedAddr
metadata: {name: mqtt}
lifecycle: {protect: false}
spec: {description: ${description}}
`;

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
  expect(await sluice(watched.dir, `approve ${digest}`, { env })).toMatchObject({ code: 0 });
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
  await watched.until(() => watched.log().includes('access rule staff (set by the operator) does not allow it'));
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

interface Watched {
  readonly dir: string;
  readonly emulator: Emulator;
  readonly log: () => string;
  readonly write: (name: string, text: string) => Promise<void>;
  /** What the account says of the one address. */
  readonly described: () => Promise<unknown>;
  /** A person changes the address. */
  readonly byHand: (body: unknown) => Promise<void>;
  /** Waits until something holds, for at most half a minute. */
  readonly until: (holds: () => boolean | Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<Ended>;
}

async function startWatch(
  watch: string,
  files: Readonly<Record<string, string>>,
  policy?: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Watched> {
  const emulator = createEmulator();
  const served = await emulator.listen({});
  onTestFinished(() => served.close());
  const manifests = Object.entries(files).map(([name, text]): [string, string] => [`manifests/${name}`, text]);
  const dir = await directory({ 'sluice.yaml': stackFile(watch, policy), ...Object.fromEntries(manifests) });
  const over = new AbortController();
  onTestFinished(() => over.abort());
  let log = '';
  const ended = sluice(dir, 'watch --no-listen --poll', {
    env: { ...env, ...variables, SLUICE_BASE_URL: served.url },
    signal: over.signal,
    err: (text) => {
      log += text;
    },
  });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${served.url}${path}`, {
      method,
      headers: { authorization: 'Bearer k3y', 'example-version': '2', 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  };
  const there = async (): Promise<{ readonly id: string; readonly description?: string } | undefined> => {
    const list = (await call('GET', '/reserved_addrs')) as { reserved_addrs: { id: string; description?: string }[] };
    return list.reserved_addrs[0];
  };
  return {
    dir,
    emulator,
    log: () => log,
    write: (name, text) => writeFile(join(dir, 'manifests', name), text),
    described: async () => (await there())?.description,
    byHand: async (body) => {
      await call('PATCH', `/reserved_addrs/${(await there())?.id ?? ''}`, body);
    },
    until: async (holds) => {
      for (let tries = 0; tries < 1_200 && !(await holds()); tries++)
        await new Promise((done) => setTimeout(done, 100));
      expect(await holds(), log).toBe(true);
    },
    stop: async () => {
      over.abort();
      const { code } = await ended;
      await expect(readFile(join(dir, '.sluice/lock'))).rejects.toThrow();
      return { code, out: '', err: log };
    },
  };
}
