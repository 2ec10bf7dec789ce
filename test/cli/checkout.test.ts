/*
 * The commit that is recorded is the one whose manifests were read, whatever becomes of the checkout meanwhile. The
 * repositories are real; what moves them is a request that the service gets, or manifests that arrive on standard input.
 */
import { existsSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { gitStack, type GitStack } from '../support/git-stack.ts';
import { until } from '../support/until.ts';
import { stackFile } from './exported.ts';
import { directory, sluice, type Ended } from './terminal.ts';

const edge = (description: string): string =>
  `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {description: ${description}, hostports: [shop.example.com:443]}\n`;

interface History {
  readonly runs: readonly { readonly commit?: string; readonly uncommitted?: boolean; readonly plan?: string }[];
}

interface Repository extends GitStack {
  readonly run: (args: string, io?: object) => Promise<Ended>;
  /** Does something once, when the service gets its next request of a method. */
  readonly onNext: (method: string, act: () => void) => void;
  /** The commit that the state says was applied. */
  readonly applied: () => string | undefined;
  readonly runs: () => Promise<History['runs']>;
  /** Runs a watch until something holds. */
  readonly watch: (holds: (log: string) => boolean | Promise<boolean>) => Promise<string>;
}

async function repository(manifests: Readonly<Record<string, string>>): Promise<Repository> {
  const emulator = createEmulator({ seed: 5 });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const settings = `${stackFile(url, 'completed')}watch: {interval: 1s, debounce: 1s, scan_interval: 1s}\n`;
  const stack = await gitStack({ 'sluice.yaml': settings, ...manifests });
  const run = (args: string, io: object = {}): Promise<Ended> =>
    sluice(stack.dir, args, { env: { SLUICE_API_KEY: 'right' }, ...io });
  const state = (): string => {
    const path = join(stack.dir, '.sluice/state.json');
    return existsSync(path) ? readFileSync(path, 'utf8') : '{}';
  };
  return {
    ...stack,
    run,
    onNext: (method, act) => {
      let isDone = false;
      emulator.intercept(async (exchange, next) => {
        if (!isDone && exchange.method === method) {
          isDone = true;
          act();
        }
        return next();
      });
    },
    applied: () => (JSON.parse(state()) as { applied?: { commit: string } }).applied?.commit,
    runs: async () => (JSON.parse((await run('history --format json')).out) as History).runs,
    watch: async (holds) => {
      const over = new AbortController();
      let log = '';
      const ended = run('watch --no-listen --poll', {
        signal: over.signal,
        err: (text: string) => {
          log += text;
        },
      });
      await until(() => holds(log)).finally(() => over.abort());
      await ended;
      return log;
    },
  };
}

test('apply records the commit that it read, though a newer one is checked out while it reads the account', async () => {
  const { dir, commit, git, run, onNext, applied, runs } = await repository({ 'manifests/shop.yaml': edge('One') });
  const older = git('rev-parse', 'HEAD').trim();
  const newer = commit({ 'manifests/shop.yaml': edge('Two') });
  git('checkout', '-q', older);
  onNext('GET', () => git('checkout', '-q', newer));
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect(readFileSync(join(dir, 'manifests/shop.yaml'), 'utf8')).toContain('Two');
  expect(applied()).toBe(older);
  const [latest] = await runs();
  expect(latest).toMatchObject({ commit: older, uncommitted: false });
  expect(latest?.plan).toContain('description: One');
});

test('a command whose checkout moves while it reads the stack reports that and writes nothing', async () => {
  const { commit, git, run, applied, runs } = await repository({ 'manifests/shop.yaml': edge('One') });
  const older = git('rev-parse', 'HEAD').trim();
  const newer = commit({});
  git('checkout', '-q', older);
  const stdin = (): Promise<Buffer> => {
    git('checkout', '-q', newer);
    return Promise.resolve(Buffer.from(edge('Three')));
  };
  const { code, err } = await run('apply --auto-approve -f -', { stdin });
  expect(code).toBe(1);
  expect(err).toContain(
    `the checkout moved from commit ${older.slice(0, 12)} to ${newer.slice(0, 12)} while the stack was read`,
  );
  expect(err).toContain('run the command again');
  expect([applied(), await runs()]).toEqual([undefined, []]);
});

test('errors of manifests that were read while the checkout moved are not reported: the move is', async () => {
  const { commit, run } = await repository({ 'manifests/shop.yaml': edge('One') });
  const stdin = (): Promise<Buffer> => {
    commit({});
    return Promise.resolve(Buffer.from('kind: Nothing\n'));
  };
  const { code, err } = await run('plan -f -', { stdin });
  expect(code).toBe(1);
  expect(err).toContain('the checkout moved');
  expect(err).not.toContain('Nothing');
});

test('a link that git-sync moves while a command reads the stack is such a move, also where git itself is not there', async () => {
  const [older, newer] = ['a'.repeat(40), 'b'.repeat(40)];
  const settings = stackFile('http://127.0.0.1:9', 'completed');
  const dir = await directory({ [`${older}/sluice.yaml`]: settings, [`${newer}/sluice.yaml`]: settings });
  const point = (commit: string): void => {
    symlinkSync(commit, join(dir, 'next'));
    renameSync(join(dir, 'next'), join(dir, 'current'));
  };
  point(older);
  const stdin = (): Promise<Buffer> => {
    point(newer);
    return Promise.resolve(Buffer.from(edge('Three')));
  };
  const { code, err } = await sluice(dir, '-C current plan -f -', { stdin, env: { SLUICE_API_KEY: 'right' } });
  expect(code).toBe(1);
  expect(err).toContain('the checkout moved from commit aaaaaaaaaaaa to bbbbbbbbbbbb while the stack was read');
});

test('a saved plan is recorded as the commit that it was made of', async () => {
  const { commit, git, run, applied, runs } = await repository({ 'manifests/shop.yaml': edge('One') });
  const older = git('rev-parse', 'HEAD').trim();
  expect(await run('plan --out shop.plan')).toMatchObject({ code: 0 });
  commit({ 'manifests/shop.yaml': edge('Two') });
  expect(await run('apply shop.plan')).toMatchObject({ code: 0 });
  expect(applied()).toBe(older);
  expect((await runs())[0]).toMatchObject({ commit: older, uncommitted: false });
});

test('a watch that cannot read a newer commit does not record it as applied', async () => {
  const { commit, git, watch, applied } = await repository({ 'manifests/shop.yaml': edge('One') });
  const older = git('rev-parse', 'HEAD').trim();
  let isMoved = false;
  await watch((log) => {
    if (!isMoved && applied() === older) {
      isMoved = true;
      commit({ 'sluice.yaml': 'version: 1\n' });
    }
    return log.includes('"attempts":3');
  });
  expect(applied()).toBe(older);
});

test('a watch records the commit that it read, though another is checked out while it reads the account', async () => {
  const { commit, git, watch, onNext, applied, runs } = await repository({ 'manifests/shop.yaml': edge('One') });
  const older = git('rev-parse', 'HEAD').trim();
  const newer = commit({ 'manifests/shop.yaml': edge('Two') });
  git('checkout', '-q', older);
  onNext('POST', () => git('checkout', '-q', newer));
  await watch(() => applied() === newer);
  const all = await runs();
  expect(all.map((run) => [run.commit, /Two/.test(run.plan ?? '')])).toEqual([
    [newer, true],
    [older, false],
  ]);
});

test('history reports that what was applied was not all committed, as text and as a fact of its own', async () => {
  const { dir, git, run, runs } = await repository({ 'manifests/shop.yaml': edge('One') });
  const head = git('rev-parse', 'HEAD').trim();
  writeFileSync(join(dir, 'manifests/shop.yaml'), edge('Two'));
  expect(await run('apply --auto-approve')).toMatchObject({ code: 0 });
  expect((await runs())[0]).toMatchObject({ commit: head, uncommitted: true });
  expect((await run('history')).out).toContain(`${head.slice(0, 12)} (with uncommitted changes)`);
  const id = (JSON.parse((await run('history --format json')).out) as { runs: { id: string }[] }).runs[0]?.id ?? '';
  expect((await run(`history ${id}`)).out).toContain(`Commit:    ${head} (with uncommitted changes)\n`);
});

test('a watch reports that too', async () => {
  const { dir, git, watch, applied, runs } = await repository({ 'manifests/shop.yaml': edge('One') });
  const head = git('rev-parse', 'HEAD').trim();
  writeFileSync(join(dir, 'manifests/more.yaml'), edge('Two').replace('shop}', 'more}').replace('shop.', 'more.'));
  await watch(() => applied() === head);
  expect((await runs())[0]).toMatchObject({ commit: head, uncommitted: true });
});
