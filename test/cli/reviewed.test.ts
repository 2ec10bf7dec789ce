/*
 * `plan --check`, `publish-digest` and `apply --reviewed`: what counts as reviewed is what the platform reports of statuses and
 * approvals, against stand-ins of the platforms.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import { planJsonSchema, type PlanJson } from '../../src/render/plan/plan-json-schema.ts';
import type { StandIn } from '../support/comment-platform.ts';
import { reviewPlatform, type ReviewPlatform } from '../support/review-platform.ts';
import { gitStack } from '../support/git-stack.ts';
import { addresses } from '../watch/company-files.ts';
import { company, sluice, stack, stackFile, type Ended } from './terminal.ts';

const clock: Clock = { now: () => performance.now(), sleep: () => Promise.resolve(), random: () => 0.5 };
const platforms = ['github', 'gitlab', 'gitea'] as const;
const other = `sha256:${'0'.repeat(64)}`;

interface Rehearsed {
  readonly platform: ReviewPlatform;
  readonly dir: string;
  readonly run: (command: string, env?: Readonly<Record<string, string>>) => Promise<Ended>;
  readonly plan: () => Promise<PlanJson>;
}

async function merged(name: StandIn, branch?: string, file = stackFile): Promise<Rehearsed> {
  const platform = await reviewPlatform(name, branch);
  const dir = await stack(company, file);
  const run: Rehearsed['run'] = (command, env = {}) =>
    sluice(dir, command, { clock, env: { ...platform.env, ...env } });
  return {
    platform,
    dir,
    run,
    plan: async () => planJsonSchema.parse(JSON.parse((await run('plan --format json')).out)),
  };
}

describe('plan --check', () => {
  test('ends with 0 for the digest that the plan has, also when it is saved, and with 4 for another', async () => {
    const { run, plan } = await merged('github');
    const { review_digest: digest = '', not_approvable: why } = await plan();
    expect([digest.length, why]).toEqual([71, undefined]);
    const saved = planJsonSchema.parse(JSON.parse((await run('plan --out a.plan --format json')).out));
    expect(saved.review_digest).toBe(digest);
    expect((await run(`plan --check ${digest}`)).code).toBe(0);
    const { code, err } = await run(`plan --check ${other}`);
    expect([code, err]).toEqual([4, expect.stringContaining(`not the approved ${other}`)]);
    expect((await run('plan --check abc')).code).toBe(8);
  });

  test('ends with 4 for a plan that no digest approves', async () => {
    const { run, plan, dir } = await merged('github', 'main', `${stackFile}policy: {block: [EXPOSES_PUBLICLY]}\n`);
    const blocked = await plan();
    expect([blocked.review_digest, blocked.not_approvable]).toEqual([
      undefined,
      [{ code: 'BLOCKED', message: '1 change is blocked' }],
    ]);
    const { code, err } = await run(`plan --check ${other}`);
    expect([code, err]).toEqual([4, expect.stringContaining('the plan is not approvable: 1 change is blocked')]);
    await writeFile(join(dir, 'sluice.yaml'), stackFile);
    const part = await run(`plan --target ReservedAddr/mqtt --check ${other}`);
    expect([part.code, part.err]).toEqual([4, expect.stringContaining('the plan is a targeted plan')]);
  });
});

describe.each(platforms)('apply --reviewed on %s', (name) => {
  test('applies the plan whose digest this identity published, and somebody approved afterwards', async () => {
    const { platform, run, plan } = await merged(name);
    const { review_digest: digest = '' } = await plan();
    const onHead = name === 'gitlab' ? { CI_COMMIT_SHA: platform.head } : { GITHUB_SHA: platform.head };
    expect(await run(`publish-digest ${digest}`, onHead)).toMatchObject({
      code: 0,
      out: 'The commit status sluice/company/5c1e7a90 was set on commit aaaaaaaaaaaa.\n',
    });
    platform.review('carol');
    const applied = await run('apply --reviewed');
    expect(applied.code).toBe(0);
    expect(applied.out).toContain('Applied: 3 created');
    // The account is another one now.
    expect(await run('apply --reviewed')).toMatchObject({
      code: 4,
      err: expect.stringContaining('not the approved') as string,
    });
  });

  test.each([
    [
      'nothing was published',
      () => undefined,
      'has no commit status sluice/company/5c1e7a90 set by the user of this token',
    ],
    [
      'somebody else published it',
      (p, d) => (p.status('mallory', d), p.review('carol')),
      'set by the user of this token',
    ],
    [
      'it is the status of another stack',
      (p, d) => (p.status('bot', d, 'sluice/other/1'), p.review('carol')),
      'has no commit status',
    ],
    [
      'it is on another commit',
      (p, d) => (p.status('bot', d, undefined, 'c'.repeat(40)), p.review('carol')),
      'has no commit status',
    ],
    ['nobody approved it', (p, d) => p.status('bot', d), 'has no approval'],
    ['it was approved before', (p, d) => (p.review('carol'), p.status('bot', d)), 'has no approval'],
    ['its author approved it', (p, d) => (p.status('bot', d), p.review('alice')), 'has no approval'],
    ['this identity approved it', (p, d) => (p.status('bot', d), p.review('bot')), 'has no approval'],
    ['who approved it may only read', (p, d) => (p.status('bot', d), p.review('mallory')), 'has no approval'],
    [
      'the approval was taken back',
      (p, d) => (p.status('bot', d), p.review('carol'), p.review('carol', 'objects')),
      'has no approval',
    ],
    [
      'a later status says another digest',
      (p, d) => (p.status('bot', d), p.status('bot', other), p.review('carol')),
      'not the approved',
    ],
    ['the status has no digest', (p) => (p.status('bot', 'ok'), p.review('carol')), 'has no digest'],
  ] as readonly (readonly [string, (platform: ReviewPlatform, digest: string) => unknown, string])[])(
    'ends with 4, and writes nothing, where %s',
    async (_, happens, message) => {
      const { platform, run, plan } = await merged(name);
      const { review_digest: digest = '' } = await plan();
      happens(platform, digest);
      const { code, err } = await run('apply --reviewed');
      expect([code, err]).toEqual([4, expect.stringContaining(message)]);
      expect((await plan()).summary.create).toBe(3);
    },
  );

  test('ends with 4 where the commit is no merge, or a merge into another branch', async () => {
    const { platform, run } = await merged(name, 'release');
    platform.status('bot', other);
    platform.review('carol');
    expect(await run('apply --reviewed')).toMatchObject({
      code: 4,
      err: expect.stringContaining('is not the merge of a pull request into main') as string,
    });
    const { run: elsewhere } = await merged(name);
    const sha = 'd'.repeat(40);
    expect((await elsewhere('apply --reviewed', { GITHUB_SHA: sha, CI_COMMIT_SHA: sha })).code).toBe(4);
  });
});

describe('the commit of a pipeline', () => {
  const digest = `sha256:${'1'.repeat(64)}`;
  const [ofPull, unset] = [{ GITHUB_REF: 'refs/pull/7/merge' }, { GITHUB_SHA: '', CI_COMMIT_SHA: '' }];
  const pull = { pull_request: { number: 7, head: { sha: 'c'.repeat(40) } } };
  const ofRun = { event: 'pull_request', head_sha: 'e'.repeat(40) };
  const inEvent = async (dir: string, event: object): Promise<Readonly<Record<string, string>>> => {
    await writeFile(join(dir, 'event.json'), JSON.stringify(event));
    return { GITHUB_EVENT_PATH: join(dir, 'event.json') };
  };

  test.each<[string, object, object]>([
    ['pull_request', pull, ofPull],
    ['pull_request_target', pull, {}],
    ['workflow_run of a pull request', { workflow_run: { pull_requests: [pull.pull_request] } }, {}],
    ['workflow_run that names why it ran', { workflow_run: { ...ofRun, pull_requests: [pull.pull_request] } }, {}],
  ])('is not that of a merge in the event %s', async (_, event, env) => {
    const { dir, run, platform } = await merged('github');
    const { code, err } = await run('apply --reviewed', { ...(await inEvent(dir, event)), ...env });
    expect([code, err]).toEqual([1, expect.stringContaining('this pipeline runs for pull request 7')]);
    expect(err).toContain('run `sluice apply --reviewed` in the pipeline of the branch, after the merge');
    expect(platform.requests).toEqual([]);
  });

  test('is not that of a merge in the run after that of a fork, whose event names no pull request', async () => {
    const { dir, run, platform } = await merged('github');
    const event = await inEvent(dir, { workflow_run: { ...ofRun, pull_requests: [] } });
    const { code, err } = await run('apply --reviewed', event);
    expect([code, err]).toEqual([1, expect.stringContaining('this pipeline runs for a pull request')]);
    expect(platform.requests).toEqual([]);
  });

  test.each<[string, object]>([
    ['of a pull request that is merged now', { pull_request: { ...pull.pull_request, merged: true } }],
    [
      'after that of a branch that is also the head of a pull request',
      { workflow_run: { event: 'push', head_sha: 'b'.repeat(40), pull_requests: [pull.pull_request] } },
    ],
  ])('is that of the branch in a run %s', async (_, event) => {
    const { dir, run, platform, plan } = await merged('github');
    const { review_digest: published = '' } = await plan();
    platform.status('bot', published);
    platform.review('carol');
    expect((await run('apply --reviewed', await inEvent(dir, event))).code).toBe(0);
  });

  test('to publish on is the one that the run before had, also of a fork and after a later push', async () => {
    for (const pulls of [[], [pull.pull_request]]) {
      const { dir, run } = await merged('github');
      const event = await inEvent(dir, { workflow_run: { ...ofRun, pull_requests: pulls } });
      expect((await run(`publish-digest ${digest}`, event)).out).toContain('on commit eeeeeeeeeeee');
    }
  });

  test.each<[string, StandIn, Readonly<Record<string, string>>]>([
    ['of a merge request', 'gitlab', { CI_COMMIT_BRANCH: '', CI_MERGE_REQUEST_IID: '7' }],
    ['of a tag', 'gitlab', { CI_COMMIT_BRANCH: '' }],
    ['of a tag', 'github', { GITHUB_REF: 'refs/tags/v1' }],
    ['of a pull request', 'gitea', { GITHUB_REF: 'refs/pull/7/head' }],
    ['of no commit', 'github', unset],
    ['of no commit', 'gitlab', unset],
  ])('is not that of a merge in a pipeline %s on %s', async (_, name, env) => {
    const { run, platform } = await merged(name);
    const { code, err } = await run('apply --reviewed', env);
    expect([code, err]).toEqual([1, expect.stringContaining('in the pipeline of the branch, after the merge')]);
    expect(platform.requests).toEqual([]);
  });

  test('to publish on is the head in the event, not the commit that GitHub made to test the merge', async () => {
    const { dir, run } = await merged('github');
    const event = await inEvent(dir, pull);
    expect((await run(`publish-digest ${digest}`, { ...event, ...ofPull })).out).toContain('on commit cccccccccccc');
  });

  test.each<[string, object, Readonly<Record<string, string>>]>([
    ['a comment on a pull request', { issue: { number: 7, pull_request: {} } }, {}],
    ['a workflow run of several pull requests', { workflow_run: { pull_requests: [] } }, {}],
    [
      'a workflow run of a branch',
      { workflow_run: { event: 'push', head_sha: 'e'.repeat(40), pull_requests: [] } },
      {},
    ],
    ['a pull request whose event cannot be read', {}, ofPull],
    ['no commit', {}, unset],
  ])('to publish on is unknown for %s', async (_, event, env) => {
    const { dir, run, platform } = await merged('github');
    const { code, err } = await run(`publish-digest ${digest}`, { ...(await inEvent(dir, event)), ...env });
    expect([code, err]).toEqual([1, expect.stringContaining('the head of the pull request is unknown')]);
    expect(err).toContain('run `sluice publish-digest` in the pipeline of the pull request');
    expect(platform.requests).toEqual([]);
  });

  test('to publish on is that of the branch without a pull request, and the head on GitLab and Gitea', async () => {
    for (const [name, env] of [
      ['github', {}],
      ['gitea', { GITHUB_REF: 'refs/pull/7/head' }],
      ['gitlab', { CI_COMMIT_BRANCH: '', CI_MERGE_REQUEST_IID: '7' }],
    ] as const)
      expect((await (await merged(name)).run(`publish-digest ${digest}`, env)).out).toContain('on commit bbbbbbbbbbbb');
  });
});

test('apply --reviewed does not go back to the commit of an earlier merge, whose plan was approved', async () => {
  const platform = await reviewPlatform('github');
  const { dir, git, commit } = await gitStack({ 'sluice.yaml': stackFile, 'manifests/a.yaml': addresses('mqtt') });
  const run = (command: string): Promise<Ended> => sluice(dir, command, { clock, env: platform.env });
  expect((await run('apply --auto-approve')).code).toBe(0);
  const merged = commit({ 'manifests/a.yaml': addresses('mqtt', 'smtp') });
  const { review_digest: digest = '' } = planJsonSchema.parse(JSON.parse((await run('plan --format json')).out));
  platform.status('bot', digest);
  platform.review('carol');
  expect((await run('apply --reviewed')).code).toBe(0);
  commit({ 'manifests/a.yaml': addresses('mqtt') });
  expect((await run('apply --auto-approve --allow LOSES_ADDRESS')).code).toBe(0);
  git('checkout', '-q', merged);
  expect((await run(`plan --check ${digest}`)).code).toBe(0);
  const { code, err } = await run('apply --reviewed');
  expect([code, err]).toEqual([4, expect.stringContaining('the approval of an earlier merge cannot be used again')]);
  expect(err).toContain('to return to the older manifests, merge a pull request that reverts the later changes');
  // Said once: the plan that is refused has no warning of the same.
  expect(err).not.toContain('undoes later changes');
  expect((await run('state list')).out).not.toContain('smtp');
});

test('apply --reviewed ends with 4 where git cannot tell whether a later merge was applied', async () => {
  const platform = await reviewPlatform('github');
  const { dir, commit } = await gitStack({ 'sluice.yaml': stackFile, 'manifests/a.yaml': addresses('mqtt') });
  const run = (command: string, env = {}): Promise<Ended> =>
    sluice(dir, command, { clock, env: { ...platform.env, ...env } });
  expect((await run('apply --auto-approve')).code).toBe(0);
  commit({ 'manifests/a.yaml': addresses('mqtt', 'smtp') });
  const { review_digest: digest = '' } = planJsonSchema.parse(JSON.parse((await run('plan --format json')).out));
  platform.status('bot', digest);
  platform.review('carol');
  const { code, err } = await run('apply --reviewed', { PATH: '/nonexistent' });
  expect([code, err]).toEqual([4, expect.stringContaining('git cannot tell whether commit')]);
  expect(err).toContain('`fetch-depth: 0`');
  expect((await run('state list')).out).not.toContain('smtp');
  expect((await run('apply --reviewed')).code).toBe(0);
});

test('apply --reviewed takes no saved plan', async () => {
  const { run } = await merged('github');
  expect((await run('apply a.plan --reviewed')).code).toBe(8);
});
