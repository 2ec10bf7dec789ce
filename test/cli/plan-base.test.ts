/*
 * `plan --base REF`: what this change does apart from what was already pending, from a git repository, with the account
 * of the emulator beside the stack.
 */
import { symlinkSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { planJsonSchema, type PlanJson } from '../../src/render/plan/plan-json-schema.ts';
import { gitStack, type GitStack } from '../support/git-stack.ts';
import { company, directory, sluice, stackFile } from './terminal.ts';

const files = { 'sluice.yaml': stackFile, 'manifests/company.yaml': company };
const shop = (path: string): string => company.replace('match: /,', `match: ${path},`);

/** A repository whose main is applied, and a branch for a change. */
async function applied(): Promise<GitStack> {
  const repository = await gitStack(files);
  await sluice(repository.dir, 'apply --auto-approve');
  repository.git('checkout', '-q', '-b', 'change');
  return repository;
}

async function partsOf(dir: string, ref = 'main'): Promise<NonNullable<PlanJson['parts']>> {
  const { out, err, code } = await sluice(dir, `plan --base ${ref} --format json`);
  expect([code, err]).toEqual([0, '']);
  const { parts } = planJsonSchema.parse(JSON.parse(out));
  if (parts === undefined) throw new Error('the plan has no parts');
  return parts;
}

/** Somebody changes a text of the account by hand. */
async function drifted(dir: string, before: string, after: string): Promise<void> {
  const path = join(dir, '.sluice/emulator.json');
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(before, after));
}

const named = (changes: PlanJson['resource_changes'] = []): string[] =>
  changes.map(({ address, change }) => `${change.actions.join()} ${address}`);

describe('plan --base', () => {
  test('shows what the change does, and nothing pending, where the base was applied', async () => {
    const { dir, commit } = await applied();
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    const { out, code } = await sluice(dir, 'plan --base main');
    expect(code).toBe(0);
    expect(out).toMatch(/^This change \(since the base, commit [0-9a-f]{7}\): 1 to update\.\n\n~ ReservedAddr\/mqtt/);
    expect(out).toMatch(
      /\nNot applied yet \(.* last applied commit ([0-9a-f]{7}) to the base, commit \1\): no changes\.\n/,
    );
    expect(out).toMatch(/\nDrift \(.* account and the last applied commit [0-9a-f]{7}\): no changes\.\n/);
    expect(out).toMatch(/\nWhole plan: 1 to update; 1 API request; 2 unchanged\.\n$/);
  });

  test('takes the variables of each side from its own sluice.yaml', async () => {
    const varied = company.replace('Sensors', '{template: "${var.what}"}');
    const settings = (vars: string) => `${stackFile}vars: {${vars}}\n`;
    const { dir, commit, git } = await gitStack({
      'sluice.yaml': settings('what: Sensors'),
      'manifests/company.yaml': varied,
    });
    await sluice(dir, 'apply --auto-approve');
    git('checkout', '-q', '-b', 'change');
    commit({ 'sluice.yaml': settings('what: {template: "${var.which} probes"}, which: New') });
    const { this_change, already_pending } = await partsOf(dir);
    expect([named(this_change), named(already_pending)]).toEqual([['update ReservedAddr/mqtt'], []]);
    const { out } = await sluice(dir, 'plan --base main --var which=Old');
    expect(out).toContain('description: Sensors -> "Old probes"');
  });

  test.each([
    ['that is committed', ''],
    ['that git ignores, as it is now', 'texts/\n'],
  ])('reads values from a directory outside of the stack %s', async (_, ignored) => {
    const filed = company.replace('Sensors', '{from_file: ../../texts/mqtt.txt}');
    const { dir, commit, git } = await gitStack({
      'texts/mqtt.txt': 'Sensors',
      '.gitignore': `.sluice/\n${ignored}`,
      'shop/sluice.yaml': `${stackFile}secrets: {dirs: [../texts]}\n`,
      'shop/manifests/company.yaml': filed,
    });
    const shopDir = join(dir, 'shop');
    expect((await sluice(shopDir, 'apply --auto-approve')).code).toBe(0);
    git('checkout', '-q', '-b', 'change');
    commit({ 'shop/manifests/company.yaml': filed.replace('match: /,', 'match: /new,') });
    const { this_change, already_pending } = await partsOf(shopDir);
    expect([named(this_change), named(already_pending)]).toEqual([['update HTTPSEdgeRoute/shop:front'], []]);
  });

  test('shows apart what was merged and not applied, and what has drifted', async () => {
    const { dir, git, commit } = await applied();
    git('checkout', '-q', 'main');
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    git('checkout', '-q', '-B', 'change');
    commit({ 'manifests/company.yaml': shop('/shop').replace('Sensors', 'Probes') });
    const { this_change, already_pending, in_both } = await partsOf(dir);
    expect([named(this_change), named(already_pending), in_both]).toEqual([
      ['update HTTPSEdgeRoute/shop:front'],
      ['update ReservedAddr/mqtt'],
      [],
    ]);
  });

  test('marks a field that both change, in text and in JSON', async () => {
    const { dir, git, commit } = await applied();
    git('checkout', '-q', 'main');
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    git('checkout', '-q', '-B', 'change');
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Meters') });
    expect((await partsOf(dir)).in_both).toEqual([{ address: 'ReservedAddr/mqtt', fields: ['/description'] }]);
    const { out } = await sluice(dir, 'plan --base main');
    expect(out).toContain('description: Probes -> Meters');
    expect(out).toContain('also in the part "Not applied yet": /description');
    expect(out).toContain('description: Sensors -> Probes');
    expect(out).toContain('also in the part "This change": /description');
    expect(out).toMatch(/Whole plan: 1 to update/);
  });

  test('tells drift from what was merged and not applied, where the commit that was applied last is known', async () => {
    const { dir, git, commit } = await applied();
    await drifted(dir, 'Sensors', 'Changed by hand');
    git('checkout', '-q', 'main');
    commit({ 'manifests/company.yaml': shop('/merged') });
    git('checkout', '-q', '-B', 'change');
    commit({ 'manifests/company.yaml': shop('/merged').replace('Sensors', 'Probes') });
    const parts = await partsOf(dir);
    expect([named(parts.this_change), named(parts.not_applied_yet), named(parts.drift)]).toEqual([
      ['update ReservedAddr/mqtt'],
      ['update HTTPSEdgeRoute/shop:front'],
      ['update ReservedAddr/mqtt'],
    ]);
    expect(parts.applied).toEqual({ commit: git('rev-parse', 'main~1').trim() });
    expect(named(parts.already_pending)).toEqual(['update HTTPSEdgeRoute/shop:front', 'update ReservedAddr/mqtt']);
    const { out } = await sluice(dir, 'plan --base main');
    expect(out).toContain('description: Sensors -> Probes');
    expect(out).toContain('also in the part "Drift": /description');
    expect(out).toContain('description: "Changed by hand" -> Sensors');
    expect(out).toContain('also in the part "This change": /description');
    const markdown = (await sluice(dir, 'plan --base main --format markdown')).out;
    expect(markdown).toMatch(/This change.*also in the part \*\*Drift\*\*: `\/description`;.*Not applied yet.*Drift/s);
  });

  describe('reports why drift is not shown separately', () => {
    const unknown = async ({ dir }: GitStack): Promise<unknown> => {
      const { applied, drift, not_applied_yet } = await partsOf(dir);
      expect([drift, not_applied_yet]).toEqual([undefined, undefined]);
      return applied;
    };

    test('where nothing was applied from a commit', async () => {
      const repository = await gitStack(files);
      const why = 'the state does not say which commit was applied last';
      expect(await unknown(repository)).toEqual({ unknown: why });
      expect((await sluice(repository.dir, 'plan --base main')).out).toContain(
        `\nDrift is not shown separately: ${why}.\n`,
      );
    });

    test('after an apply of a part', async () => {
      const repository = await applied();
      repository.commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
      await sluice(repository.dir, 'apply --auto-approve --target ReservedAddr/mqtt');
      expect(await unknown(repository)).toEqual({ unknown: 'the state does not say which commit was applied last' });
    });

    test('where manifests were applied that were not committed', async () => {
      const repository = await gitStack(files);
      await writeFile(join(repository.dir, 'manifests/company.yaml'), company.replace('Sensors', 'Probes'));
      await sluice(repository.dir, 'apply --auto-approve');
      repository.git('checkout', '-q', '.');
      expect(await unknown(repository)).toEqual({
        unknown: expect.stringMatching(
          /^the last applied commit [0-9a-f]{12} does not contain the manifests that were applied$/,
        ) as string,
      });
    });

    test('where the repository does not have that commit', async () => {
      const repository = await gitStack(files);
      repository.commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
      await sluice(repository.dir, 'apply --auto-approve');
      repository.git('reset', '-q', '--hard', 'HEAD~1');
      repository.git('reflog', 'expire', '--expire=now', '--all');
      repository.git('gc', '-q', '--prune=now');
      expect(await unknown(repository)).toEqual({
        unknown: expect.stringMatching(/^the last applied commit [0-9a-f]{12} is not in this repository$/) as string,
      });
    });
  });

  test('a snapshot does not have the hash of what was applied, which would verify secrets in the manifests', async () => {
    const { dir } = await applied();
    expect(await readFile(join(dir, '.sluice/state.json'), 'utf8')).toContain('"applied"');
    expect((await sluice(dir, 'snapshot --out snapshot.json')).code).toBe(0);
    const snapshot = await readFile(join(dir, 'snapshot.json'), 'utf8');
    expect([snapshot.includes('"entries"'), snapshot.includes('"applied"')]).toEqual([true, false]);
    expect((await sluice(dir, 'plan --snapshot snapshot.json')).code).toBe(0);
  });

  test('an apply without changes records its commit, and the same one is not written again', async () => {
    const { dir, commit } = await applied();
    const last = commit({ 'readme.md': 'A note' });
    await sluice(dir, 'apply --auto-approve');
    const state = await readFile(join(dir, '.sluice/state.json'), 'utf8');
    expect(state).toContain(last);
    await sluice(dir, 'apply --auto-approve');
    expect(await readFile(join(dir, '.sluice/state.json'), 'utf8')).toBe(state);
  });

  test('names by its address what the base creates, and not by the id that it has in the copy', async () => {
    const repository = await gitStack(files);
    const { dir, git, commit } = repository;
    git('checkout', '-q', '-b', 'change');
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    const parts = await partsOf(dir);
    expect(named(parts.already_pending)).toHaveLength(3);
    const [change] = parts.this_change ?? [];
    expect([named(parts.this_change), change?.id]).toEqual([['update ReservedAddr/mqtt'], undefined]);
  });

  test('compares with the commit in common, and reports how far the branch is ahead of it', async () => {
    const { dir, git, commit } = await applied();
    commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    git('checkout', '-q', 'main');
    commit({ 'manifests/company.yaml': shop('/shop') });
    git('checkout', '-q', 'change');
    const parts = await partsOf(dir);
    expect([parts.base.ahead, named(parts.this_change), named(parts.already_pending)]).toEqual([
      1,
      ['update ReservedAddr/mqtt'],
      [],
    ]);
    expect((await sluice(dir, 'plan --base main')).out).toContain('\nmain is 1 commit ahead of the base.\n');
  });

  test('reads the manifests that git has, and touches neither the account nor a file', async () => {
    const { dir, commit } = await applied();
    commit({ 'manifests/more.yaml': company.replaceAll('mqtt', 'amqp').slice(0, company.indexOf('---')) });
    // Other tests plan at the same time, and have copies of their own.
    vi.stubEnv('TMPDIR', await directory());
    onTestFinished(() => void vi.unstubAllEnvs());
    const kept = async (): Promise<unknown> => [
      await readFile(join(dir, '.sluice/emulator.json'), 'utf8'),
      await readFile(join(dir, '.sluice/state.json'), 'utf8'),
      (await readdir(tmpdir())).filter((name) => name.startsWith('sluice-base-')),
    ];
    const before = await kept();
    expect(named((await partsOf(dir)).this_change)).toEqual(['create ReservedAddr/amqp']);
    expect(await kept()).toEqual(before);
  });

  test('is saved with the plan: show and the comment have the parts, with links to the base', async () => {
    const { dir, git, commit } = await applied();
    git('checkout', '-q', 'main');
    const base = commit({ 'manifests/company.yaml': company.replace('Sensors', 'Probes') });
    git('checkout', '-q', '-B', 'change');
    commit({ 'manifests/company.yaml': shop('/shop').replace('Sensors', 'Probes') });
    expect((await sluice(dir, 'plan --base main --out change.plan')).code).toBe(0);
    expect((await sluice(dir, 'show change.plan')).out).toContain('\nNot applied yet (changes from the last applied ');
    const env = {
      GITHUB_SERVER_URL: 'https://git.example.com',
      GITHUB_REPOSITORY: 'o/r',
      GITHUB_SHA: 'f'.repeat(40),
      GITHUB_WORKSPACE: dir,
    };
    const { out } = await sluice(dir, 'plan --base main --format markdown', { env });
    expect(out).toContain('**Whole plan: 2 to update');
    expect(out).toMatch(
      /\n- This change \(since the base, commit `[0-9a-f]{7}`\): 1 to update\.\n- Not applied yet .*: 1 to update\.\n- Drift .*: no changes\.\n/,
    );
    expect(out).toMatch(/\*\*This change\*\*\n\n\| Action .*\n.*\n.*HTTPSEdgeRoute\/shop:front/);
    expect(out).toContain(`https://git.example.com/o/r/blob/${base}/manifests/company.yaml`);
    expect((await sluice(dir, 'apply change.plan --auto-approve')).code).toBe(0);
  });
});

describe('plan --base shows the whole plan, and reports why,', () => {
  const inseparable = async ({ dir }: GitStack): Promise<string | undefined> => (await partsOf(dir)).inseparable;

  test('where the manifests of the base are invalid, so that a change can correct them', async () => {
    const repository = await gitStack({ ...files, 'manifests/broken.yaml': 'kind: Nothing\n' });
    repository.git('checkout', '-q', '-b', 'change');
    repository.git('rm', '-q', 'manifests/broken.yaml');
    repository.commit({});
    expect(await inseparable(repository)).toMatch(
      /^the base commit cannot be used: the manifests of the commit are invalid: /,
    );
    expect((await sluice(repository.dir, 'plan --base main')).out).toContain(
      'Changes that were already pending are not shown separately (the base is commit ',
    );
  });

  test('where the stack is new, or is another one', async () => {
    const repository = await gitStack({ 'README.md': 'nothing' });
    repository.git('checkout', '-q', '-b', 'change');
    repository.commit(files);
    expect(await inseparable(repository)).toBe(
      'the base commit cannot be used: the commit has no sluice.yaml in the directory of this stack',
    );
    const other = await gitStack(files);
    other.git('checkout', '-q', '-b', 'change');
    other.commit({ 'sluice.yaml': stackFile.replace('5c1e7a90', '5c1e7a91') });
    expect(await inseparable(other)).toBe(
      'the base commit cannot be used: the sluice.yaml of the commit has a different `stack.id`',
    );
  });

  test('where the base cannot be applied', async () => {
    const repository = await gitStack(files);
    const { dir, git, commit } = repository;
    await sluice(dir, 'apply --auto-approve');
    const state = JSON.parse(await readFile(join(dir, '.sluice/emulator.json'), 'utf8')) as {
      resources: { kind: string; id: string; spec: object }[];
    };
    const edge = state.resources.find(({ kind }) => kind === 'HTTPSEdge');
    const foreign = { ...edge, id: 'edghts_foreign', spec: { hostports: ['taken.example.com:443'] } };
    await writeFile(
      join(dir, '.sluice/emulator.json'),
      JSON.stringify({ ...state, resources: [...state.resources, foreign] }),
    );
    commit({ 'manifests/company.yaml': company.replace('shop.example.com:443', 'taken.example.com:443') });
    git('checkout', '-q', '-b', 'change');
    commit({ 'manifests/company.yaml': company });
    expect(await inseparable(repository)).toMatch(
      /^a simulated apply of the base commit fails: .*taken\.example\.com:443/,
    );
  });
});

describe('plan --base refuses', () => {
  const refused = async ({ dir }: GitStack, ref = 'main'): Promise<string> => {
    const { code, err, out } = await sluice(dir, `plan --base ${ref}`);
    expect([code, out]).toEqual([8, '']);
    return err;
  };

  test('a ref that is none, also one that looks like a flag, and a history that is not there', async () => {
    const repository = await applied();
    expect(await refused(repository, 'nothing')).toContain('--base: "nothing" is not a commit of this repository');
    expect((await sluice(repository.dir, 'plan --base=--all')).code).toBe(8);
    repository.git('checkout', '-q', '--orphan', 'alone');
    repository.commit({ 'README.md': 'another beginning' });
    expect(await refused(repository)).toContain('have no common ancestor');
  });

  test('a stack that is in no repository, a machine without git, and flags that narrow the plan', async () => {
    const { dir } = await applied();
    const alone = await directory(files);
    expect((await sluice(alone, 'plan --base main')).err).toContain('the stack is not in a git repository');
    const { err } = await sluice(dir, 'plan --base main', { env: { PATH: '/nowhere' } });
    expect(err).toContain('git is not installed');
    for (const flag of ['--destroy', '--drift-only', '-l a=b', '--target ReservedAddr/mqtt', '-f manifests'])
      expect((await sluice(dir, `plan --base main ${flag}`)).code).toBe(8);
  });

  test('manifests that are links out of the commit, pointers of Git LFS or submodules', async () => {
    const linked = await gitStack(files);
    symlinkSync('/etc/hostname', join(linked.dir, 'manifests/host.yaml'));
    linked.commit({});
    linked.git('checkout', '-q', '-b', 'change');
    linked.git('rm', '-q', 'manifests/host.yaml');
    expect(await refused(linked)).toMatch(/host\.yaml cannot be read from .*: the link leads to a missing path/);

    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
    const lfs = await gitStack({ ...files, 'manifests/large.yaml': pointer, 'logo.png': pointer });
    lfs.git('rm', '-q', 'manifests/large.yaml');
    expect(await refused(lfs)).toMatch(/large\.yaml cannot be read from .*: the file is a pointer of/);
    lfs.commit({});
    expect((await sluice(lfs.dir, 'plan --base main')).code).toBe(0);

    const { dir, git } = await gitStack(files);
    git('update-index', '--add', '--cacheinfo', `160000,${git('rev-parse', 'HEAD').trim()},manifests/shared`);
    git('commit', '-q', '-m', 'a submodule');
    const { err, code } = await sluice(dir, 'plan --base main');
    expect([code, err]).toEqual([8, expect.stringMatching(/shared cannot be read from .*: the path is a submodule/)]);
  });

  test('a value from a file that the commit has as a pointer of Git LFS', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n';
    const described = company.replace('Sensors', '{from_file: ../text.txt}');
    const repository = await gitStack({ ...files, 'manifests/company.yaml': described, 'text.txt': pointer });
    await writeFile(join(repository.dir, 'text.txt'), 'Sensors');
    expect(await refused(repository)).toMatch(/text\.txt cannot be read from .*: the file is a pointer of/);
  });

  test('filters and hooks of the repository: none of them runs', async () => {
    const repository = await applied();
    const { dir, git, commit } = repository;
    const mark = join(dir, '.git/ran');
    git('config', 'filter.evil.smudge', `touch ${mark}; cat`);
    git('config', 'diff.evil.textconv', `touch ${mark}; cat`);
    git('config', 'core.fsmonitor', `touch ${mark}`);
    await writeFile(join(dir, '.git/info/attributes'), '* filter=evil diff=evil\n');
    commit({ 'manifests/company.yaml': shop('/shop') });
    await rm(mark, { force: true });
    await partsOf(dir);
    expect(await readdir(join(dir, '.git'))).not.toContain('ran');
  });
});
