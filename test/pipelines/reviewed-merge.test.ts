/*
 * A pull request whose approval is what counts: the real steps publish the digest of its plan and apply what was reviewed after
 * the merge, with the emulator as the service and the stand-in of the platform; and what may go wrong in between.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import type { StandIn } from '../support/comment-platform.ts';
import { notBuilt } from '../support/processes.ts';
import { action, component, onDemand, pathWithProgram, pipelineKey, rehearsal } from '../support/rehearsal.ts';
import { reviewPlatform, type ReviewPlatform } from '../support/review-platform.ts';
import type { PipelineEnd } from '../support/run-steps.ts';
import { company, stack, stackFile } from '../cli/terminal.ts';

type Inputs = Readonly<Record<string, string>>;

interface Merge {
  readonly platform: ReviewPlatform;
  readonly emulator: Emulator;
  /** Runs the job that applies what was merged, with other inputs than those of a reviewed apply. */
  readonly apply: (inputs?: Inputs) => Promise<PipelineEnd>;
}

/** A pull request whose plan was published and approved. */
async function approved(name: StandIn = 'github'): Promise<Merge> {
  const platform = await reviewPlatform(name);
  const emulator = createEmulator({ apiKey: pipelineKey });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const cwd = await stack(company, stackFile.replace('embedded', JSON.stringify(url)));
  const job = async (mode: 'plan' | 'apply', inputs: Inputs, more: Inputs = {}): Promise<PipelineEnd> => {
    const temp = mkdtempSync(join(tmpdir(), 'sluice-merge-'));
    onTestFinished(() => {
      rmSync(temp, { recursive: true, force: true });
    });
    const around = {
      PATH: pathWithProgram(temp),
      GITHUB_WORKSPACE: cwd,
      GITHUB_STEP_SUMMARY: join(temp, 'summary.md'),
    };
    const at = { cwd, temp, url, env: { ...platform.env, ...around, ...more } };
    const given = { stack: '.', reviewed: 'true', ...inputs };
    const ended =
      name === 'gitlab'
        ? await component(mode, {}, given)(at)
        : await action({ mode, comment: 'false', 'review-token': 'token-of-bot', ...given })(at);
    expect(ended.log).not.toContain(pipelineKey);
    expect(ended.log).not.toContain('token-of-bot');
    return ended;
  };
  const planned = await job('plan', {}, await atHead(name, platform, cwd));
  expect([planned.code, planned.log]).toEqual([
    0,
    expect.stringContaining('The commit status sluice/company/5c1e7a90 was set'),
  ]);
  platform.review('carol');
  return { platform, emulator, apply: (inputs = {}) => job('apply', inputs) };
}

/** What the job of a pull request has in its environment. */
async function atHead(name: StandIn, { head }: ReviewPlatform, cwd: string): Promise<Inputs> {
  if (name === 'gitlab')
    return {
      CI_COMMIT_BRANCH: '',
      CI_COMMIT_SHA: head,
      CI_MERGE_REQUEST_IID: '7',
      CI_MERGE_REQUEST_PROJECT_ID: '4711',
    };
  const event = join(cwd, '..', `${basename(cwd)}-event.json`);
  await writeFile(event, JSON.stringify({ pull_request: { number: 7, head: { sha: head } } }));
  onTestFinished(() => rm(event));
  return { GITHUB_SHA: 'c'.repeat(40), GITHUB_REF: 'refs/pull/7/merge', GITHUB_EVENT_PATH: event };
}

const written = ({ emulator }: Merge): number => emulator.log.filter(({ method }) => method !== 'GET').length;

describe.skipIf(notBuilt !== '')(`a reviewed merge${notBuilt}`, () => {
  test('is applied once; of two jobs at once, the other ends with 4', async () => {
    const merge = await approved();
    const ended = await Promise.all([merge.apply(), merge.apply()]);
    // The other one waits for the lock, and plans again.
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 4]);
    expect(written(merge)).toBe(3);
    expect(await merge.apply()).toMatchObject({ code: 4, outputs: { 'exit-code': '4' } });
  });

  test('is not applied after drift in between, nor by the digest that somebody forged for it', async () => {
    const merge = await approved();
    expect((await merge.apply({ reviewed: 'false', 'review-token': '' })).code).toBe(0);
    const headers = {
      authorization: `Bearer ${pipelineKey}`,
      'example-version': '2',
      'content-type': 'application/json',
    };
    const [address] = merge.emulator.snapshot().resources.filter(({ kind }) => kind === 'ReservedAddr');
    const path = `/reserved_addrs/${address?.id ?? ''}`;
    await merge.emulator.handle({ method: 'PATCH', path, headers, body: JSON.stringify({ description: 'by hand' }) });
    const before = written(merge);
    const drifted = await merge.apply();
    expect([drifted.code, drifted.log]).toEqual([4, expect.stringContaining('not the approved')]);
    const [, now = ''] = /the plan has the digest (sha256:\w+)/.exec(drifted.log) ?? [];
    merge.platform.status('mallory', now);
    merge.platform.review('carol');
    expect((await merge.apply()).code).toBe(4);
    expect(written(merge)).toBe(before);
  });

  test('is not applied without the token, and not without `reviewed` where there is one', async () => {
    const merge = await approved();
    const without = await merge.apply({ 'review-token': '' });
    expect([without.code, without.log]).toEqual([1, expect.stringContaining('GITHUB_TOKEN and GH_TOKEN are not set')]);
    const unasked = await merge.apply({ reviewed: 'false' });
    expect([unasked.code, unasked.log]).toEqual([8, expect.stringContaining('reviewed is not true')]);
    expect(written(merge)).toBe(0);
  });

  test.each(['github', 'gitlab'] as const)(
    'has no digest on %s where its plan cannot be written on the pull request: the plan of an earlier commit may be there',
    async (name) => {
      const { commit, job } = await rehearsal(name, { readers: ['bot'] });
      commit('more', company);
      const inputs = { reviewed: 'true' };
      const step =
        name === 'gitlab'
          ? component('plan', { CI_MERGE_REQUEST_PROJECT_ID: '4711' }, inputs)
          : action({ mode: 'plan', 'review-token': 'token-of-bot', ...inputs });
      const ended = await job('more', step);
      expect([ended.code, ended.log]).toEqual([1, expect.stringContaining('returned 403')]);
      expect(ended.log).not.toContain('The commit status');
    },
  );

  test.skipIf(onDemand !== '').each(['gitlab', 'gitea'] as const)(`is applied once on %s${onDemand}`, async (name) => {
    const merge = await approved(name);
    const ended = await Promise.all([merge.apply(), merge.apply()]);
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 4]);
    expect(written(merge)).toBe(3);
  });

  test.each(['github', ...(onDemand === '' ? (['gitlab', 'gitea'] as const) : [])] as const)(
    'on %s: plan, comment, push again, approve, merge, apply',
    async (name) => {
      const { platform, reviews, commit, merge, job } = await rehearsal(name);
      const inputs = { reviewed: 'true' };
      const step = (mode: 'plan' | 'apply') =>
        name === 'gitlab'
          ? component(mode, { CI_MERGE_REQUEST_PROJECT_ID: '4711' }, inputs)
          : action({ mode, 'review-token': 'token-of-bot', ...inputs });
      for (const text of [company, company.replace('Sensors', 'Sensors in the field')]) {
        commit('more', text);
        expect((await job('more', step('plan'))).code).toBe(0);
        expect(platform.comments.map(({ body }) => body)).toEqual([expect.stringContaining('3 to create')]);
      }
      reviews.review('carol');
      merge('more');
      const applied = await job('main', step('apply'));
      expect([applied.code, applied.log]).toEqual([0, expect.stringContaining('Applied: 3 created')]);
      // A push to main that nobody approved.
      commit('main', company);
      const pushed = await job('main', step('apply'));
      expect([pushed.code, pushed.log]).toEqual([
        4,
        expect.stringContaining('is not the merge of a pull request into main'),
      ]);
    },
  );
});
