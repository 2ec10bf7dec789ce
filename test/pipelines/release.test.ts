/*
 * How a version is published: what may publish it, and on which tag. Nothing is published here.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { skippedWithout } from '../support/skipped-without.ts';

const has = (program: string, ...args: string[]): boolean => spawnSync(program, args).status !== null;
const actionlint = skippedWithout('actionlint', has('actionlint', '--version'));
const sshKeygen = skippedWithout('ssh-keygen', has('ssh-keygen', '-?'));
const file = '.github/workflows/release.yml';

interface Job {
  readonly needs?: string;
  readonly environment?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

describe('the workflow of a release', () => {
  const text = readFileSync(file, 'utf8');
  const { on, permissions, jobs } = parse(text) as { on: object; permissions: object; jobs: Record<string, Job> };

  test('runs for tags of versions only, and no job but those that publish may write anything', () => {
    expect([on, permissions]).toEqual([{ push: { tags: ['v*'] } }, {}]);
    expect(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]))).toEqual({
      build: { contents: 'read' },
      npm: { 'id-token': 'write' },
      image: { contents: 'read', packages: 'write', 'id-token': 'write', attestations: 'write' },
    });
  });

  test('publishes from protected environments, after the build has verified the tag and tested', () => {
    const [first = '', ...others] = Object.keys(jobs);
    expect([first, others]).toEqual(['build', ['npm', 'image']]);
    for (const name of others) expect(jobs[name]).toMatchObject({ needs: 'build', environment: name });
    const steps = jobs[first]?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(steps[0]).toContain('scripts/release.sh verify-tag');
    expect(steps.at(-1)).toContain('scripts/release.sh pack');
    expect(steps).toContain('npm test');
  });

  test('names every action by its full commit, with its version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(6);
    for (const name of used) expect(name).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('puts no expression into a script', () => {
    for (const { run = '' } of Object.values(jobs).flatMap(({ steps }) => steps)) expect(run).not.toContain('${{');
  });

  test.skipIf(actionlint !== '')(`passes actionlint${actionlint}`, () => {
    expect(spawnSync('actionlint', ['-no-color', file], { encoding: 'utf8' }).stdout).toBe('');
  });
});

describe.skipIf(sshKeygen !== '')(`a release is made of a tag that a known key has signed${sshKeygen}`, () => {
  test.each([
    ['signed by a known key: yes', (at: Release) => at.tag('v0.1.0', 'maintainer'), 'v0.1.0', undefined],
    ['signed by another key', (at: Release) => at.tag('v0.1.0', 'stranger'), 'v0.1.0', 'is not signed by a known key'],
    ['not signed', (at: Release) => at.git('tag', '-m', 'x', 'v0.1.0'), 'v0.1.0', 'is not signed by a known key'],
    ['a name for the commit only', (at: Release) => at.git('tag', 'v0.1.0'), 'v0.1.0', 'is not signed by a known key'],
    ['of another version', (at: Release) => at.tag('v0.2.0', 'maintainer'), 'v0.2.0', 'is not that of the version'],
    [
      'of another commit',
      (at: Release) => {
        at.tag('v0.1.0', 'maintainer');
        at.git('commit', '-q', '--allow-empty', '-m', 'later');
      },
      'v0.1.0',
      'is not what is checked out',
    ],
  ])('%s', (_, make, tag, why) => {
    const at = release();
    make(at);
    const { status, stderr } = spawnSync('bash', [join('scripts', 'release.sh'), 'verify-tag', tag, 'keys'], {
      cwd: at.dir,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual(why === undefined ? [0, expect.any(String)] : [1, expect.stringContaining(why)]);
  });
});

interface Release {
  readonly dir: string;
  readonly git: (...args: string[]) => void;
  readonly tag: (name: string, by: 'maintainer' | 'stranger') => void;
}

/** A repository with a version, the script, and two people, one of whom may sign releases. */
function release(): Release {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-release-'));
  onTestFinished(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com', '-c', 'gpg.format=ssh'];
    execFileSync('git', [...who, ...args], { cwd: dir, stdio: 'pipe' });
  };
  mkdirSync(join(dir, 'scripts'));
  copyFileSync('scripts/release.sh', join(dir, 'scripts/release.sh'));
  writeFileSync(join(dir, 'package.json'), '{"version": "0.1.0"}');
  writeFileSync(join(dir, 'CHANGELOG.md'), '## [0.1.0] - 2026-01-01\n');
  for (const name of ['maintainer', 'stranger'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)]);
  writeFileSync(join(dir, 'keys'), `alice@example.com ${readFileSync(join(dir, 'maintainer.pub'), 'utf8')}`);
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-qm', 'a version');
  return {
    dir,
    git,
    tag: (name, by) => {
      git('-c', `user.signingkey=${join(dir, by)}`, 'tag', '-s', '-m', name, name);
    },
  };
}
