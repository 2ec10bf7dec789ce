import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/api/clock.ts';
import {
  commentPlatform,
  type CommentPlatformService,
  type PlatformBehaviour,
  type StandIn,
} from '../support/comment-platform.ts';
import { connectProxy } from '../support/connect-proxy.ts';
import { httpService, json } from '../support/http-service.ts';
import { privateAuthority } from '../support/private-authority.ts';
import { expectHarmlessMarkdown } from '../render/harmless.ts';
import { company, directory, sluice, stack, type Ended } from './terminal.ts';

const key = { SLUICE_API_KEY: 'any' };
const platforms = ['github', 'gitlab', 'gitea'] as const;
const clock: Clock = { now: () => performance.now(), sleep: () => Promise.resolve(), random: () => 0.5 };

/** A pull request on a platform, with a plan of its stack in pr.plan. */
async function pullRequest(platform: StandIn, behaviour?: PlatformBehaviour) {
  const service = await commentPlatform(platform, behaviour);
  const dir = await stack(company);
  const run = (command: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    sluice(dir, command, { clock, env: { ...key, ...service.env, [service.tokenVariable]: 'token-of-bot', ...env } });
  const plan = async (): Promise<void> => expect(await run('plan --out pr.plan')).toMatchObject({ code: 0 });
  await plan();
  return { service, dir, run, plan };
}

function bodies({ comments }: CommentPlatformService, author = 'bot'): string[] {
  return comments.filter((one) => one.author === author).map(({ body }) => body);
}

describe.each(platforms)('a plan on a pull request of %s', (platform) => {
  test('is posted once, and updated from then on, also when nothing is left to change', async () => {
    const { service, run, plan } = await pullRequest(platform);
    const first = await run('comment pr.plan');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^Created the comment on pull request 7: https:\/\/git\.example\.com\/\S+101\n$/);
    expect(bodies(service)).toEqual([expect.stringContaining('3 to create')]);

    await run('apply --auto-approve');
    await plan();
    const second = await run('comment pr.plan --format json');
    expect(JSON.parse(second.out)).toMatchObject({ action: 'updated', pull_request: 7 });
    expect(bodies(service)).toEqual([expect.stringContaining('No changes. 3 resources in sync.')]);
    expect(bodies(service)[0]).toMatch(
      /^<!-- sluice stack=company\/5c1e7a90 account=[0-9a-f]{8} digest=sha256:[0-9a-f]{64} time=\S+ -->\n/,
    );
    expect(bodies(service)[0]).toContain('Commit `4f2d1c0`. [Pipeline run](https://git.example.com/');
    expectHarmlessMarkdown(bodies(service)[0] ?? '');
  });

  test('leaves comments of everyone else alone, whatever their first line says, on every page', async () => {
    const { service, run } = await pullRequest(platform, { pageSize: 3 });
    const forged = '<!-- sluice stack=company/5c1e7a90 account=9289140b digest=sha256:0 time=0 -->\n\nNo changes.';
    for (let n = 0; n < 7; n++) service.post('mallory', forged);
    service.post('bot', 'Thank you for your contribution.');
    service.post(
      'bot',
      '<!-- sluice stack=company/5c1e7a901 account=9289140b digest=sha256:0 time=0 -->\n\nanother stack',
    );
    service.post('bot', `quoted: ${forged}`);
    expect((await run('comment pr.plan')).out).toMatch(/^Created /);
    for (let n = 0; n < 7; n++) service.post('mallory', forged);
    expect((await run('comment pr.plan')).out).toMatch(/^Updated /);
    expect(new Set(bodies(service, 'mallory'))).toEqual(new Set([forged]));
    expect(bodies(service).slice(0, 3)).toEqual([
      'Thank you for your contribution.',
      expect.stringMatching(/another stack$/),
      expect.stringMatching(/^quoted/),
    ]);
    expect(bodies(service)).toHaveLength(4);
  });

  test('is not that of a stack with the same id in another account, whether its plan failed or not', async () => {
    const { service, dir, run } = await pullRequest(platform);
    await run('comment pr.plan');
    const other = { SLUICE_BASE_URL: 'http://127.0.0.1:9' };
    await writeFile(join(dir, 'failed.json'), (await run('plan --format json', other)).out);
    expect((await run('comment failed.json', other)).out).toMatch(/^Created /);
    expect((await run('comment failed.json', other)).out).toMatch(/^Updated /);
    expect((await run('comment pr.plan')).out).toMatch(/^Updated /);
    expect(bodies(service)).toEqual([expect.stringContaining('3 to create'), expect.stringContaining('sluice failed')]);
  });

  test('of which two were posted updates the older one, and names the other', async () => {
    const { service, run } = await pullRequest(platform);
    service.post('bot', '<!-- sluice stack=company/5c1e7a90 account=9289140b time=0 -->\r\nold');
    service.post('bot', '<!-- sluice stack=company/5c1e7a90 account=9289140b time=0 -->\nolder');
    expect((await run('comment pr.plan')).err).toContain('1 older comment for this stack was not updated');
    expect(bodies(service)).toEqual([expect.stringContaining('3 to create'), expect.stringMatching(/older$/)]);
  });

  test('of a commit that is not the head any more does not replace the comment of a later one', async () => {
    const [earlier, later] = ['a'.repeat(40), 'b'.repeat(40)];
    const { service, dir, run } = await pullRequest(platform, { head: later });
    const at = async (commit: string, flag = ''): Promise<unknown> => {
      const event = join(dir, 'event.json');
      await writeFile(event, JSON.stringify({ pull_request: { number: 7, head: { sha: commit } } }));
      const env = platform === 'gitlab' ? { CI_COMMIT_SHA: commit } : { GITHUB_EVENT_PATH: event };
      const { code, out } = await run(`comment pr.plan --format json ${flag}`.trim(), env);
      return { code, ...(JSON.parse(out) as object) };
    };
    expect(await at(later)).toMatchObject({ code: 0, action: 'created' });
    const before = bodies(service);
    const reason = 'commit aaaaaaaaaaaa is no longer the head of pull request 7';
    expect(await at(earlier)).toMatchObject({ code: 0, action: 'none', reason });
    // Its digest must not be published either: the head may go back to it.
    expect(await at(earlier, '--required')).toMatchObject({ code: 1, error: { code: 'OUTDATED_COMMIT' } });
    expect(bodies(service)).toEqual(before);
    expect(await at(later)).toMatchObject({ code: 0, action: 'updated' });
  });

  test('that cannot be written is a warning, and an error where it is required', async () => {
    const { run } = await pullRequest(platform, { readers: ['bot'] });
    const ended = await run('comment pr.plan');
    expect(ended).toMatchObject({ code: 0, out: '' });
    expect(ended.err).toContain('the comment was not written: POST ');
    expect(ended.err).toContain('returned 403: Resource not accessible by integration');
    expect(await run('comment pr.plan --required')).toMatchObject({ code: 1 });
    const wrong = await run('comment pr.plan --required', { [tokenOf(platform)]: 'canary-token' });
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.err).toContain('returned 401');
    expect(wrong.err).not.toContain('canary');
  });

  test('waits out failures of the service that pass', async () => {
    let left = 3;
    const { service, run } = await pullRequest(platform, {
      fault: ({ method, path }, response) => {
        if ((method !== 'GET' && path !== '/graphql') || left-- <= 0) return false;
        json(response, 502, { message: 'Bad gateway' });
        return true;
      },
    });
    const { code, err } = await run('comment pr.plan');
    expect(code).toBe(0);
    expect(err).toMatch(/^(\w+ \S+ returned 502: Bad gateway; retry in \d s\n)+$/);
    expect(bodies(service)).toHaveLength(1);
  });

  test('whose response was lost is not posted twice', async () => {
    let isFirst = true;
    const { service, run } = await pullRequest(platform, {
      fault: ({ method, path, body }, response, comments) => {
        if (method !== 'POST' || path === '/graphql' || !isFirst) return false;
        isFirst = false;
        comments.push({ id: 900, author: 'bot', body: (JSON.parse(body) as { body: string }).body });
        response.destroy();
        return true;
      },
    });
    expect(await run('comment pr.plan')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Created .*900\n$/) as string,
    });
    expect(bodies(service)).toHaveLength(1);
  });

  test('needs a token and a pull request, and never ends a pipeline for want of them', async () => {
    const { service, run } = await pullRequest(platform);
    const noToken = await run('comment pr.plan', { [service.tokenVariable]: '' });
    expect(noToken.code).toBe(0);
    expect(noToken.err).toContain(service.tokenVariable);
    const noRequest = { GITHUB_REF: 'refs/heads/main', CI_MERGE_REQUEST_IID: '' };
    expect((await run('comment pr.plan', noRequest)).err).toContain('pass --pull-request NUMBER');
    expect(await run('comment pr.plan --pull-request 7', noRequest)).toMatchObject({ code: 0, err: '' });
    expect((await run('comment pr.plan --pull-request 8 --required')).code).toBe(1);
  });
});

function tokenOf(platform: StandIn): string {
  return { github: 'GITHUB_TOKEN', gitlab: 'GITLAB_TOKEN', gitea: 'GITEA_TOKEN' }[platform];
}

describe('what a comment shows', () => {
  test('is set by --detail: everything, hazards, or numbers alone', async () => {
    const { service, dir, run, plan } = await pullRequest('github');
    await run('apply --auto-approve');
    await writeFile(join(dir, 'manifests/company.yaml'), company.slice(0, company.indexOf('---')));
    await plan();
    const shown = async (detail: string): Promise<string> => {
      expect(await run(`comment pr.plan --detail ${detail}`)).toMatchObject({ code: 0, err: '' });
      return bodies(service)[0] ?? '';
    };
    const [full, hazards, counts] = [await shown('full'), await shown('hazards'), await shown('counts')];
    expect(full).toContain('<details>');
    expect(hazards).toContain('**INTERRUPTS\\_TRAFFIC**');
    expect(hazards).not.toContain('<details>');
    expect(counts).toContain('2 to delete');
    expect(counts).toMatch(/\nHazards: \d+ interrupts traffic/);
    expect(counts).not.toContain('shop');
    for (const text of [full, hazards, counts]) expectHarmlessMarkdown(text);
  });

  test('names nothing where it is counts, also of what keeps the parts of a plan together', async () => {
    const { service, dir, run } = await pullRequest('github');
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: dir,
        stdio: 'pipe',
      });
    await writeFile(join(dir, '.gitignore'), '.sluice/\n*.plan\n');
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('description:', 'descripton:'));
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['commit', '-qm', 'base'],
      ['checkout', '-qb', 'more'],
    ])
      git(...args);
    await writeFile(join(dir, 'manifests/company.yaml'), company);
    git('commit', '-qam', 'change');
    expect(await run('plan --base main --out pr.plan')).toMatchObject({ code: 0 });
    await run('comment pr.plan');
    expect(bodies(service)).toEqual([expect.stringContaining('descripton')]);
    await run('comment pr.plan --detail counts');
    expect(bodies(service)).toEqual([expect.stringContaining('3 to create')]);
    expect(bodies(service)).toEqual([expect.not.stringMatching(/descripton|company\.yaml|mqtt/)]);
  });

  test('is never larger than the platform takes', async () => {
    const { service, dir, run, plan } = await pullRequest('github');
    const address = (n: number): string =>
      `---\napiVersion: sluice/v1\nkind: ReservedAddr\nmetadata: {name: r${String(n)}}\nspec: {region: eu, description: ${'x'.repeat(90)}${String(n)}}\n`;
    await writeFile(join(dir, 'manifests/company.yaml'), Array.from({ length: 400 }, (_, n) => address(n)).join(''));
    await plan();
    expect(await run('comment pr.plan --required')).toMatchObject({ code: 0 });
    expect(Buffer.byteLength(bodies(service)[0] ?? '')).toBeLessThanOrEqual(65_536);
    expect(bodies(service)[0]).toContain('omitted (size limit');
  });

  test('reports that the plan failed, and why, in place of the plan of an earlier commit', async () => {
    const { service, dir, run } = await pullRequest('gitlab');
    await run('comment pr.plan');
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('description:', 'descripton:'));
    const failed = await run('plan --format json');
    expect(failed.code).toBe(8);
    await writeFile(join(dir, 'failed.json'), failed.out);
    expect(await run('comment failed.json')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Updated/) as string,
    });
    expect(bodies(service)).toEqual([expect.stringContaining('unknown field `descripton`')]);
    expect(bodies(service)[0]).toMatch(
      /^<!-- sluice stack=company\/5c1e7a90 account=9289140b time=\S+ -->\n\n### sluice failed\n/,
    );
    expectHarmlessMarkdown(bodies(service)[0] ?? '');
  });

  test('names errors by their codes alone where --detail is counts', async () => {
    const { service, dir, run } = await pullRequest('github');
    await writeFile(join(dir, 'manifests/company.yaml'), company.replace('description:', 'descripton:'));
    await writeFile(join(dir, 'failed.json'), (await run('plan --format json')).out);
    expect(await run('comment failed.json --detail counts')).toMatchObject({ code: 0, err: '' });
    const [text = ''] = bodies(service);
    expect(text).toContain('### sluice failed\n\n1 error: `UNKNOWN_FIELD`. See the log of the pipeline.\n');
    expect(text).not.toContain('descripton');
    expectHarmlessMarkdown(text);
  });

  test('is no more than the operator allows, whatever --detail says', async () => {
    const { service, run } = await pullRequest('github');
    const policy = join(await directory(), 'operator.yaml');
    const operator = { SLUICE_OPERATOR_POLICY: policy };
    const shown = async (limit: string, flags = ''): Promise<string> => {
      await writeFile(policy, `version: 1\ncomment: {detail: ${limit}}\n`);
      expect(await run(`comment pr.plan${flags}`, operator)).toMatchObject({ code: 0, err: '' });
      return bodies(service)[0] ?? '';
    };
    expect(await shown('full')).toContain('<details>');
    expect(await shown('hazards', ' --detail full')).not.toContain('<details>');
    expect(await shown('full', ' --detail counts')).not.toContain('shop');
    expect(await shown('counts', ' --detail hazards')).not.toContain('shop');
    await writeFile(policy, 'version: 1\ncomment: {detail: most}\n');
    expect((await run('comment pr.plan', operator)).code).toBe(8);
  });

  test('is a plan file, or the error of a failed plan; anything else is refused', async () => {
    const { service, dir, run } = await pullRequest('github');
    await writeFile(join(dir, 'plan.json'), (await run('plan --format json')).out);
    await writeFile(join(dir, 'pr.md'), '### sluice plan\n\nNo changes.\n');
    for (const file of ['plan.json', 'pr.md', 'missing.plan'])
      expect([file, (await run(`comment ${file}`)).code]).toEqual([file, 8]);
    expect(service.requests).toEqual([]);
  });
});

describe('the token', () => {
  test('goes to the origin of the API alone: redirects are not followed', async () => {
    const attacker = await httpService((_, response) => json(response, 200, {}));
    const { run } = await pullRequest('gitlab', {
      fault: ({ path }, response) => {
        response.writeHead(307, { location: attacker.url + path }).end();
        return true;
      },
    });
    const ended = await run('comment pr.plan --required');
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('does not follow the redirect')]);
    expect(attacker.requests).toEqual([]);
  });

  test.each([
    'http://git.example.com/api/v4',
    'https://me:canary@git.example.com/api/v4',
    'ftp://git.example.com',
    'x',
  ])('is not sent to %s', async (url) => {
    const { run } = await pullRequest('gitlab');
    const ended = await run('comment pr.plan --required', { CI_API_V4_URL: url });
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('CI_API_V4_URL must be an https URL')]);
    expect(ended.err).not.toContain('canary');
  });

  test('is not decided by sluice.yaml: neither its proxy nor its authorities are used', async () => {
    const { service, dir, run } = await pullRequest('github');
    const file = await readFile(join(dir, 'sluice.yaml'), 'utf8');
    await writeFile(
      join(dir, 'sluice.yaml'),
      file.replace('vendor: example', 'vendor: example, proxy: "http://127.0.0.1:1", ca_file: nowhere.pem'),
    );
    expect(await run('comment pr.plan')).toMatchObject({ code: 0, err: '' });
    expect(bodies(service)).toHaveLength(1);
  });

  test('travels through the proxy of the operator, and trusts the authority that the operator names', async () => {
    const authority = privateAuthority();
    const { dir, run } = await pullRequest('github');
    const proxy = await connectProxy({});
    await writeFile(join(dir, 'ca.pem'), authority.pem);
    const env = { GITHUB_API_URL: 'https://api.example.test', HTTPS_PROXY: proxy.url, SLUICE_CA_FILE: 'ca.pem' };
    expect((await run('comment pr.plan', env)).code).toBe(0);
    expect(new Set(proxy.targets)).toEqual(new Set(['api.example.test:443']));
  });

  test('is no value of a manifest', async () => {
    const { dir, run } = await pullRequest('github');
    await writeFile(
      join(dir, 'manifests/company.yaml'),
      company.replace('description: Sensors', 'description: {from_env: COPY_OF_TOKEN}'),
    );
    const ended = await run('plan', { COPY_OF_TOKEN: 'token-of-bot' });
    expect([ended.code, ended.err]).toEqual([8, expect.stringContaining('the value contains a credential of sluice')]);
  });
});

describe('the pull request of a GitHub workflow', () => {
  test.each<[string, object]>([
    ['pull_request_target', { pull_request: { number: 7, head: { sha: 'feed1e5' } } }],
    ['a comment on a pull request', { issue: { number: 7, pull_request: {} } }],
    ['workflow_run', { workflow_run: { pull_requests: [{ number: 7, head: { sha: 'feed1e5' } }] } }],
    ['check_suite', { check_suite: { pull_requests: [{ number: 7, head: { sha: 'feed1e5' } }] } }],
  ])('is that of the event: %s', async (_, event) => {
    const { service, dir, run } = await pullRequest('github');
    await writeFile(join(dir, 'event.json'), JSON.stringify(event));
    const env = { GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: join(dir, 'event.json') };
    expect(await run('comment pr.plan --required', env)).toMatchObject({ code: 0 });
    // The event of a comment has no commit, and the pipeline runs on the head of the default branch.
    if ('issue' in event) expect(bodies(service)[0]).not.toContain('Commit');
    else expect(bodies(service)[0]).toContain('Commit `feed1e5`');
  });

  test('is the one given after the run of a fork, whose event has the commit and no pull request', async () => {
    const { service, dir, run } = await pullRequest('github');
    const event = { workflow_run: { event: 'pull_request', head_sha: 'feed1e5', pull_requests: [] } };
    await writeFile(join(dir, 'event.json'), JSON.stringify(event));
    const env = { GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: join(dir, 'event.json') };
    expect(await run('comment pr.plan --pull-request 7 --required', env)).toMatchObject({ code: 0 });
    expect(bodies(service)[0]).toContain('Commit `feed1e5`');
  });

  test('is not an issue, nor one of several', async () => {
    const { dir, run } = await pullRequest('github');
    const env = { GITHUB_REF: 'refs/heads/main', GITHUB_EVENT_PATH: join(dir, 'event.json') };
    for (const event of [
      { issue: { number: 7 } },
      { workflow_run: { pull_requests: [{ number: 7 }, { number: 8 }] } },
    ]) {
      await writeFile(join(dir, 'event.json'), JSON.stringify(event));
      expect((await run('comment pr.plan --required', env)).err).toContain('does not run for a pull request');
    }
  });
});
