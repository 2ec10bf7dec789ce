import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { company, stackFile } from '../cli/terminal.ts';
import {
  commentPlatform,
  type CommentPlatformService,
  type PlatformBehaviour,
  type StandIn,
} from './comment-platform.ts';
import type { ReceivedRequest } from './http-service.ts';
import { program } from './processes.ts';
import { reviewsOf, type Reviews } from './review-platform.ts';
import { runAction, runComponentJob, type PipelineEnd, type StepWatch } from './run-steps.ts';

const root = resolve(import.meta.dirname, '../..');
/** The key that may do everything. */
export const pipelineKey = 'canary-key-of-the-pipeline';

/** Why stories that `npm run test:rehearsal` tells are left out of `npm test`. */
export const onDemand = process.env['REHEARSAL'] === 'whole' ? '' : ' (on demand: npm run test:rehearsal)';

/** A repository with a stack on main and a pull request, its platform and its service. */
export interface Rehearsal {
  readonly platform: CommentPlatformService;
  /** Of the pull request of the branch `more`. */
  readonly reviews: Reviews;
  readonly emulator: Emulator;
  /** Commits manifests on a branch, and other files at the root of the repository. */
  readonly commit: (branch: string, manifests: string, others?: Readonly<Record<string, string>>) => void;
  readonly merge: (branch: string) => void;
  /** Runs a job on a fresh checkout of a branch. */
  readonly job: (branch: string, job: (at: Checkout) => Promise<PipelineEnd>) => Promise<PipelineEnd>;
}

/** Where a job runs. */
export interface Checkout {
  readonly cwd: string;
  readonly temp: string;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
}

/** Sets one up; `edges/` is the stack. Who may not write comments may set statuses all the same. */
export async function rehearsal(name: StandIn, behaviour: Pick<PlatformBehaviour, 'readers'> = {}): Promise<Rehearsal> {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-rehearsal-'));
  const emulator = createEmulator({ apiKey: pipelineKey });
  const { url, close } = await emulator.listen();
  onTestFinished(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });
  const origin = join(dir, 'origin');
  mkdirSync(join(origin, 'edges/manifests'), { recursive: true });
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com', ...args], {
      cwd: origin,
      stdio: 'pipe',
      encoding: 'utf8',
    });
  const commitOf = (branch: string): string => git('rev-parse', branch).trim();
  let merged = '';
  const reviews = reviewsOf(name, { head: () => commitOf('more'), merge: () => merged, branch: 'main' });
  const platform = await commentPlatform(name, {
    ...behaviour,
    fault: (request, response) => {
      if (!isAboutReviews(request)) return false;
      reviews.answer(request, response);
      return true;
    },
  });
  const commit: Rehearsal['commit'] = (branch, manifests, others = {}) => {
    git('checkout', '-q', '-B', branch);
    writeFileSync(join(origin, 'edges/manifests/company.yaml'), manifests);
    for (const [name, text] of Object.entries(others)) writeFileSync(join(origin, name), text);
    git('add', '-A');
    git('commit', '--allow-empty', '-qm', `on ${branch}`);
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(origin, 'edges/sluice.yaml'), stackFile.replace('embedded', JSON.stringify(url)));
  commit('main', company);
  const path = pathWithProgram(dir);
  let jobs = 0;
  return {
    platform,
    reviews,
    emulator,
    commit,
    merge: (branch) => {
      git('checkout', '-q', 'main');
      git('merge', '-q', '--no-ff', '-m', `merge ${branch}`, branch);
      merged = commitOf('main');
    },
    job: async (branch, run) => {
      const cwd = join(dir, `checkout-${String(++jobs)}`);
      const temp = join(dir, `temp-${String(jobs)}`);
      mkdirSync(temp);
      execFileSync('git', ['clone', '-q', '--branch', branch, origin, cwd], { stdio: 'pipe' });
      const event = join(temp, 'event.json');
      const pull = { number: 7, head: { sha: commitOf(branch) } };
      writeFileSync(event, JSON.stringify(branch === 'main' ? {} : { pull_request: pull }));
      const env = {
        ...platform.env,
        GITHUB_EVENT_PATH: event,
        [platform.tokenVariable]: 'token-of-bot',
        PATH: path,
        GITHUB_WORKSPACE: cwd,
        GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
        GITHUB_SHA: commitOf(branch),
        CI_COMMIT_SHA: commitOf(branch),
        ...(branch === 'main'
          ? { GITHUB_REF: 'refs/heads/main', CI_COMMIT_BRANCH: 'main', CI_MERGE_REQUEST_IID: '' }
          : {}),
      };
      const ended = await run({ cwd, temp, env, url });
      expect(ended.log).not.toContain(pipelineKey);
      expect(ended.log).not.toContain('token-of-bot');
      return ended;
    },
  };
}

/** Whether a request is not about comments. */
function isAboutReviews({ path, body }: ReceivedRequest): boolean {
  if (path.endsWith('/graphql')) return body.includes('viewer {');
  return /\/(statuses|commits|reviews|approvals|versions|members|collaborators|pulls)\b/.test(path);
}

/** Runs the action with the inputs given. */
export function action(
  inputs: Readonly<Record<string, string>>,
  watch?: StepWatch,
): (at: Checkout) => Promise<PipelineEnd> {
  return ({ cwd, temp, env, url }) => {
    const given = { stack: 'edges', 'base-url': url, 'api-key': pipelineKey, ...inputs };
    return runAction(root, given, { cwd, temp, env, ...(watch === undefined ? {} : { watch }) });
  };
}

/** Runs a job of the component with the variables and inputs given. */
export function component(
  name: string,
  variables: Readonly<Record<string, string>> = {},
  inputs: Readonly<Record<string, string>> = {},
  watch?: StepWatch,
): (at: Omit<Checkout, 'temp'>) => Promise<PipelineEnd> {
  return ({ cwd, env, url }) =>
    runComponentJob(
      join(root, 'templates/sluice.yml'),
      `sluice:${name}`,
      { image: 'x', 'base-url': url, stack: 'edges', ...inputs },
      {
        cwd,
        env: { ...env, SLUICE_API_KEY: pipelineKey, ...variables },
        ...(watch === undefined ? {} : { watch }),
      },
    );
}

/** A PATH on which jobs of the component find sluice, as in their image. */
export function pathWithProgram(dir: string): string {
  mkdirSync(join(dir, 'bin'));
  symlinkSync(program, join(dir, 'bin/sluice'));
  return `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`;
}
