import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator } from '../../src/emulator/emulator.ts';
import { asScenario, edited, files } from '../laws/cases.ts';
import { gitStack } from '../support/git-stack.ts';
import { mustHold } from '../support/law.ts';
import { sampleSize } from '../support/samples.ts';
import { stackFile } from './exported.ts';
import { sluice, type Ended } from './terminal.ts';

const edge = (description: string): string =>
  `apiVersion: sluice/v1\nkind: HTTPSEdge\nmetadata: {name: shop}\nspec: {description: ${description}, hostports: [shop.example.com:443]}\n`;
const address = (name: string, lifecycle = ''): string =>
  `apiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: ${name}}\n${lifecycle}spec: {region: eu}\n`;

async function repository(manifests: Readonly<Record<string, string>>) {
  const { url, close } = await createEmulator({ seed: 5 }).listen();
  onTestFinished(close);
  const stack = await gitStack({
    'sluice.yaml': `${stackFile(url, 'completed')}policy: {max_deletes: 100%}\n`,
    ...manifests,
  });
  const run = (args: string, io = {}): Promise<Ended> =>
    sluice(stack.dir, args, { env: { SLUICE_API_KEY: 'right' }, ...io });
  const commit = (changed: Readonly<Record<string, string>>, gone: readonly string[] = []): string => {
    if (gone.length > 0) stack.git('rm', '-q', ...gone);
    return stack.commit(changed);
  };
  return { ...stack, commit, run };
}

test('rollback applies the manifests of a commit, asks, and reports in history which one', async () => {
  const { commit, git, run } = await repository({ 'manifests/shop.yaml': edge('One') });
  const first = git('rev-parse', 'HEAD').trim();
  await run('apply --auto-approve');
  commit({ 'manifests/shop.yaml': edge('Two') });
  await run('apply --auto-approve');
  const asked: string[] = [];
  const { code, out } = await run('rollback HEAD~1', {
    terminal: { in: true, out: false, err: true },
    ask: (question: string) => Promise.resolve(asked.push(question) > 0 ? 'yes' : ''),
  });
  expect(code).toBe(0);
  expect(out).toContain('description: Two -> One');
  expect(asked).toEqual([`\nRoll back to ${first.slice(0, 12)}? Only "yes" will be accepted: `]);
  expect((await run('history --limit 1')).out).toMatch(new RegExp(`sluice rollback .* ${first.slice(0, 12)} `));
  git('checkout', '-q', first);
  expect(await run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
});

test('what is protected stays, what was deleted gets a new address, and both are reported', async () => {
  const { commit, git, run } = await repository({
    'manifests/old.yaml': address('old', 'lifecycle: {protect: false}\n'),
  });
  const first = git('rev-parse', 'HEAD').trim();
  await run('apply --auto-approve');
  commit({ 'manifests/new.yaml': address('new'), 'manifests/shop.yaml': edge('One') }, ['manifests/old.yaml']);
  expect(await run('apply --auto-approve --allow LOSES_ADDRESS')).toMatchObject({ code: 0 });
  const { code, out, err } = await run(`rollback ${first} --auto-approve`);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect(err).toContain(
    'ReservedAddr/new. To roll back these resources too, first set `lifecycle: {protect: false}` in their current manifests, and apply the manifests.',
  );
  expect(err).toContain(
    'ReservedAddr/old is created with a new address: an earlier one cannot be recovered once it is deleted.',
  );
  expect(out).toContain('Applied: 1 created, 1 deleted; 2 API requests.');
  expect((await run('state list')).out).toContain('ReservedAddr/new');
});

test('an ancestor of what was applied last reports that in the plan and in the question', async () => {
  const { commit, git, run } = await repository({ 'manifests/shop.yaml': edge('One') });
  await run('apply --auto-approve');
  const latest = commit({ 'manifests/shop.yaml': edge('Two') });
  expect((await run('plan')).err).not.toContain('older');
  await run('apply --auto-approve');
  git('checkout', '-q', 'HEAD~1');
  const { code, err } = await run('plan');
  expect(code).toBe(0);
  expect(err).toContain(`is older than ${latest.slice(0, 12)}, the commit applied last`);
  expect(JSON.parse((await run('plan --format json')).out)).toMatchObject({
    diagnostics: [{ code: 'OLDER_THAN_APPLIED' }],
  });
  const asked: string[] = [];
  await run('apply', {
    terminal: { in: true, out: false, err: true },
    ask: (question: string) => Promise.resolve(asked.push(question) > 0 ? 'no' : ''),
  });
  expect(asked).toEqual([
    '\nApply these changes from a commit that is older than the last applied commit? Only "yes" will be accepted: ',
  ]);
});

test('a misspelled commit is about the name, and about a shallow clone only after that', async () => {
  const { run } = await repository({ 'manifests/shop.yaml': edge('One') });
  const { err } = await run('rollback 3f9a01x');
  expect(err).toMatch(/"3f9a01x" is not a commit of this repository\n.*check the name; `sluice history` lists/s);
  expect(err).not.toContain('fetch-depth');
});

test('a saved plan of an older commit reports that before it is applied, and so does a watch', async () => {
  const { commit, git, run, dir } = await repository({ 'manifests/shop.yaml': edge('One') });
  const settings = readFileSync(join(dir, 'sluice.yaml'), 'utf8');
  commit({ 'sluice.yaml': `${settings}watch: {debounce: 1s}\n` });
  await run('apply --auto-approve');
  const latest = commit({ 'manifests/shop.yaml': edge('Two') });
  await run('apply --auto-approve');
  git('checkout', '-q', 'HEAD~1');
  await run('plan --out old.plan');
  const warning = `is older than ${latest.slice(0, 12)}, the commit applied last`;
  const saved = await run('apply old.plan');
  expect([saved.code, saved.err.includes(warning)]).toEqual([0, true]);
  git('checkout', '-q', latest);
  await run('apply --auto-approve');
  git('checkout', '-q', 'HEAD~1');
  const over = new AbortController();
  let log = '';
  await run('watch --no-listen --poll', {
    signal: over.signal,
    err: (text: string) => {
      log += text;
      if (log.includes('applied in')) over.abort();
    },
  });
  expect(log.indexOf(warning)).toBeGreaterThan(0);
  expect(log.indexOf(warning)).toBeLessThan(log.indexOf('HTTPSEdge/shop: done'));
});

test.each([
  ['a revision that is none', 'v9', 'rollback: "v9" is not a commit of this repository'],
  ['a name that looks like a flag', '-- --output=x', 'rollback: "--output=x" is not a commit of this repository'],
])('rollback refuses %s', async (_, ref, reported) => {
  const { run } = await repository({ 'manifests/shop.yaml': edge('One') });
  const { code, err } = await run(`rollback ${ref}`);
  expect({ code, err }).toMatchObject({ code: 8, err: expect.stringContaining(reported) as string });
});

test('a rollback converges to the account of that commit, whatever was applied since', async () => {
  await mustHold({
    on: fc.record({ one: edited('completed'), two: edited('completed'), back: fc.nat(2) }),
    runs: sampleSize(2, 4),
    scenario: ({ one, two }) => asScenario('completed', one.before, one.after, two.before),
    holds: async ({ one, two, back }) => {
      const histories = [one.before, one.after, two.before].map(
        (items) => files(items.map((item) => ({ ...item, protect: false })))['stack.yaml'] ?? '',
      );
      const { commit, git, run } = await repository({ 'manifests/stack.yaml': '' });
      const commits: string[] = [];
      for (const text of histories) {
        commits.push(commit({ 'manifests/stack.yaml': text }));
        const { code, err } = await run('apply --auto-approve --allow-empty');
        if (code !== 0) throw new Error(err);
      }
      const rolled = await run(`rollback ${commits[back] ?? ''} --auto-approve --allow-empty`);
      if (rolled.code !== 0) throw new Error(rolled.err + rolled.out);
      git('checkout', '-q', commits[back] ?? '');
      const left = await run('plan --detailed-exitcode');
      if (left.code !== 0) throw new Error(`left to do:\n${left.out}${left.err}`);
    },
  });
});
