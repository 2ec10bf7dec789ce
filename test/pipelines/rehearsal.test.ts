/*
 * A pull request from its first push to its merge, with the real steps of action.yml and templates/sluice.yml: a git
 * repository, the emulator as the service, and the stand-in of the platform.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { commentPlatform, type CommentPlatformService, type StandIn } from '../support/comment-platform.ts';
import { notBuilt, program } from '../support/processes.ts';
import { runAction, runComponentJob, type PipelineEnd } from '../support/run-steps.ts';
import { company, stackFile } from '../cli/terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const key = 'canary-key-of-the-pipeline';

/** A repository with a stack on main and a pull request, its platform and its service. */
interface Rehearsal {
  readonly platform: CommentPlatformService;
  readonly emulator: Emulator;
  /** Commits manifests on a branch. */
  readonly commit: (branch: string, manifests: string) => void;
  readonly merge: (branch: string) => void;
  /** Runs a job on a fresh checkout of a branch. */
  readonly job: (branch: string, job: (at: Checkout) => Promise<PipelineEnd>) => Promise<PipelineEnd>;
}

interface Checkout {
  readonly cwd: string;
  readonly temp: string;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}

async function rehearsal(name: StandIn): Promise<Rehearsal> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-rehearsal-'));
  const emulator = createEmulator({ apiKey: key });
  const { url, close } = await emulator.listen();
  onTestFinished(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });
  const platform = await commentPlatform(name);
  const origin = join(dir, 'origin');
  mkdirSync(join(origin, 'edges/manifests'), { recursive: true });
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com', ...args], {
      cwd: origin,
      stdio: 'pipe',
    });
  const commit = (branch: string, manifests: string): void => {
    git('checkout', '-q', '-B', branch);
    writeFileSync(join(origin, 'edges/manifests/company.yaml'), manifests);
    git('add', '-A');
    git('commit', '--allow-empty', '-qm', `on ${branch}`);
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(origin, 'edges/sluice.yaml'), stackFile.replace('embedded', JSON.stringify(url)));
  commit('main', company);
  // GitLab's jobs call what is on the PATH.
  mkdirSync(join(dir, 'bin'));
  symlinkSync(program, join(dir, 'bin/sluice'));
  let jobs = 0;
  return {
    platform,
    emulator,
    commit,
    merge: (branch) => {
      git('checkout', '-q', 'main');
      git('merge', '-q', '--no-ff', '-m', `merge ${branch}`, branch);
    },
    job: async (branch, run) => {
      const cwd = join(dir, `checkout-${String(++jobs)}`);
      const temp = join(dir, `temp-${String(jobs)}`);
      mkdirSync(temp);
      execFileSync('git', ['clone', '-q', '--branch', branch, origin, cwd], { stdio: 'pipe' });
      const env = {
        ...platform.env,
        [platform.tokenVariable]: 'token-of-bot',
        PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`,
        GITHUB_WORKSPACE: cwd,
        GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
        ...(branch === 'main' ? { GITHUB_REF: 'refs/heads/main', CI_MERGE_REQUEST_IID: '' } : {}),
      };
      const ended = await run({ cwd, temp, env, url });
      expect(ended.log).not.toContain(key);
      expect(ended.log).not.toContain('token-of-bot');
      return ended;
    },
  };
}

/** The action with the inputs given. */
function action(inputs: Readonly<Record<string, string>>): (at: Checkout) => Promise<PipelineEnd> {
  return ({ cwd, temp, env, url }) =>
    runAction(root, { stack: 'edges', 'base-url': url, 'api-key': key, ...inputs }, { cwd, temp, env });
}

const changed = company.replace('Sensors', 'Sensors in the field');
const comments = ({ comments: all }: CommentPlatformService): string[] => all.map(({ body }) => body);

describe.skipIf(notBuilt !== '')(`a pull request${notBuilt}`, () => {
  test('on GitHub: plan, comment, push again, merge, apply, drift', async () => {
    const { platform, emulator, commit, merge, job } = await rehearsal('github');
    commit('more', company);
    const opened = await job('more', action({}));
    expect(opened).toMatchObject({ code: 0, outputs: { changes: 'true', 'exit-code': '2', unverified: '0' } });
    expect(opened.outputs['hazards']).toBe('EXPOSES_PUBLICLY');
    expect(opened.outputs['digest']).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(comments(platform)).toEqual([expect.stringContaining('3 to create')]);

    commit('more', company.replace('description: Sensors', 'descripton: Sensors'));
    const broken = await job('more', action({}));
    expect([broken.code, broken.outputs]).toEqual([
      8,
      expect.objectContaining({ 'exit-code': '8', changes: '', 'plan-file': '' }),
    ]);
    expect(broken.log).toMatch(/^::error file=edges\/manifests\/company\.yaml,line=5/m);
    expect(comments(platform)).toEqual([expect.stringContaining('unknown field `descripton`')]);

    commit('more', changed);
    await job('more', action({ detail: 'counts' }));
    expect(comments(platform)).toEqual([expect.stringContaining('3 to create')]);
    expect(emulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);

    merge('more');
    const keep = join(mkdtempSync(join(tmpdir(), 'sluice-artifact-')), 'sluice.plan');
    const planned = await job('main', async (at) => {
      const ended = await action({ comment: 'false' })(at);
      copyFileSync(ended.outputs['plan-file'] ?? '', keep);
      expect(readFileSync(join(at.temp, 'summary.md'), 'utf8')).toContain('### sluice plan for');
      return ended;
    });
    const apply = { mode: 'apply', 'plan-file': keep };
    const other = await job('main', action({ ...apply, digest: `sha256:${'0'.repeat(64)}` }));
    expect([other.code, other.outputs['exit-code']]).toEqual([8, '8']);
    const applied = await job('main', action({ ...apply, digest: planned.outputs['digest'] ?? '' }));
    expect([applied.code, applied.log]).toEqual([0, expect.stringContaining('Applied: 3 created')]);
    // Applied once: now the account is another than the one of the plan.
    expect((await job('main', action({ ...apply, digest: planned.outputs['digest'] ?? '' }))).code).toBe(4);

    const after = await job('main', action({ comment: 'false' }));
    expect(after).toMatchObject({
      code: 0,
      outputs: { changes: 'false', 'exit-code': '0', hazards: '' },
    });
    expect(await job('main', action({ mode: 'drift' }))).toMatchObject({ code: 0, outputs: { 'exit-code': '0' } });
    expect(comments(platform)).toHaveLength(1);
  });

  test('from a fork, without key and token, is validated and neither planned nor commented', async () => {
    const { platform, emulator, commit, job } = await rehearsal('github');
    commit('fork', changed);
    const ended = await job('fork', (at) =>
      runAction(root, { stack: 'edges', 'base-url': at.url, token: '' }, { cwd: at.cwd, temp: at.temp, env: at.env }),
    );
    expect(ended).toMatchObject({ code: 0, outputs: { changes: '', 'plan-file': '' } });
    expect(ended.log).toContain('::notice title=sluice::There is no API key');
    expect([emulator.log, platform.requests]).toEqual([[], []]);
  });

  test('whose sluice.yaml names a proxy ends with 8, and the key is not sent', async () => {
    const { platform, emulator, commit, job } = await rehearsal('github');
    commit('hostile', company);
    const ended = await job('hostile', (at) => {
      const hostile = stackFile.replace(
        'base_url: embedded',
        'base_url: "https://api.example.com", proxy: "http://proxy.attacker.example"',
      );
      writeFileSync(join(at.cwd, 'edges/sluice.yaml'), hostile);
      return action({})(at);
    });
    expect([ended.code, ended.log]).toEqual([8, expect.stringContaining('is not confirmed by the environment')]);
    expect(emulator.log).toEqual([]);
    expect(comments(platform)).toEqual([expect.stringContaining('ORIGIN_NOT_TRUSTED')]);
  });

  test('on GitLab: plan, comment, push again, merge, apply, drift', async () => {
    const { platform, commit, merge, job } = await rehearsal('gitlab');
    const component =
      (name: string, more: (at: Checkout) => Readonly<Record<string, string>> = () => ({})) =>
      (at: Checkout) =>
        runComponentJob(
          join(root, 'templates/sluice.yml'),
          `sluice:${name}`,
          { image: 'x', 'base-url': at.url, stack: 'edges' },
          { cwd: at.cwd, env: { ...at.env, SLUICE_API_KEY: key, ...more(at) } },
        );
    commit('more', company);
    expect((await job('more', component('plan'))).code).toBe(0);
    commit('more', company.replace('description: Sensors', 'descripton: Sensors'));
    expect((await job('more', component('plan'))).code).toBe(8);
    expect(comments(platform)).toEqual([expect.stringContaining('unknown field `descripton`')]);
    commit('more', changed);
    await job('more', component('plan'));
    expect(comments(platform)).toEqual([expect.stringContaining('3 to create')]);

    merge('more');
    const ended = await job('main', async (at) => {
      const planned = await component('plan')(at);
      expect([planned.code, planned.log]).toEqual([0, expect.any(String)]);
      expect(existsSync(join(at.cwd, 'sluice-report.json'))).toBe(true);
      const [, digest = ''] =
        /^SLUICE_DIGEST=(sha256:[0-9a-f]{64})$/m.exec(readFileSync(join(at.cwd, 'sluice.env'), 'utf8')) ?? [];
      expect(digest).not.toBe('');
      return component('apply', () => ({ SLUICE_DIGEST: digest }))(at);
    });
    expect([ended.code, ended.log]).toEqual([0, expect.stringContaining('Applied: 3 created')]);
    expect((await job('main', component('drift'))).code).toBe(0);
  });
});
