/*
 * A pull request from its first push to its merge, with the real steps of action.yml and templates/sluice.yml: a git
 * repository, the emulator as the service, and the stand-in of the platform.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommentPlatformService } from '../support/comment-platform.ts';
import { temporaryFiles } from '../support/manifests.ts';
import { notBuilt } from '../support/processes.ts';
import { action, component, rehearsal } from '../support/rehearsal.ts';
import { httpService } from '../support/http-service.ts';
import { company, sluice, stackFile } from '../cli/terminal.ts';

const changed = company.replace('Sensors', 'Sensors in the field');
const comments = ({ comments: all }: CommentPlatformService): string[] => all.map(({ body }) => body);

describe.skipIf(notBuilt !== '')(`a pull request${notBuilt}`, () => {
  test('on GitHub: plan, comment, push again, merge, apply, drift', async () => {
    const { platform, emulator, commit, merge, job } = await rehearsal('github');
    // The input `base-url` names the service, not the repository.
    commit('more', company, { 'edges/sluice.yaml': stackFile });
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
    const keep = join(temporaryFiles({}), 'sluice.plan');
    const planned = await job('main', async (at) => {
      const ended = await action({ comment: 'false' })(at);
      copyFileSync(ended.outputs['plan-file'] ?? '', keep);
      expect(readFileSync(join(at.temp, 'summary.md'), 'utf8')).toContain('### sluice plan for');
      return ended;
    });
    const apply = { mode: 'apply', 'plan-file': keep };
    const other = await job('main', action({ ...apply, digest: `sha256:${'0'.repeat(64)}` }));
    expect([other.code, other.outputs['exit-code']]).toEqual([4, '4']);
    // An output of another job that is misspelled is an empty input.
    const unchecked = await job('main', action({ ...apply, digest: '' }));
    expect([unchecked.code, unchecked.log]).toEqual([
      8,
      expect.stringContaining('plan-file is set, but digest is empty'),
    ]);
    expect(emulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);
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

  test.each([
    ['github', action({})],
    ['gitlab', component('plan')],
  ] as const)('on %s that breaks an access rule gets its plan as a comment, and its job fails', async (on, plan) => {
    const { platform, commit, job } = await rehearsal(on);
    commit('more', company);
    await job('more', plan);
    const rules = 'access: {rules: [{name: shop, urls: [shop.example.com/*], require: [authentication]}]}\n';
    commit('more', changed, { 'sluice.plan': 'a file of the checkout is no plan' });
    const ended = await job('more', (at) => {
      const file = join(at.cwd, 'edges/sluice.yaml');
      writeFileSync(file, readFileSync(file, 'utf8') + rules);
      return plan(at);
    });
    expect(ended).toMatchObject({ code: 3, outputs: on === 'github' ? { 'exit-code': '3', 'plan-file': '' } : {} });
    expect(comments(platform)).toEqual([expect.stringContaining('access rule')]);
    expect(comments(platform)).toEqual([expect.stringMatching(/Not approvable: .*1 access rule is broken/)]);
  });

  test('is not applied where `reviewed` is neither true nor false', async () => {
    const { emulator, commit, merge, job } = await rehearsal('github');
    commit('more', company);
    merge('more');
    for (const reviewed of ['True', 'yes', '']) {
      const ended = await job('main', action({ mode: 'apply', reviewed }));
      expect([ended.code, ended.log]).toEqual([8, expect.stringContaining('reviewed must be true or false')]);
    }
    expect(emulator.log).toEqual([]);
  });

  test('on GitLab is not applied without the digest of its plan', async () => {
    const { emulator, commit, merge, job } = await rehearsal('gitlab');
    commit('more', company);
    merge('more');
    const ended = await job('main', async (at) => {
      await component('plan')(at);
      return component('apply', { SLUICE_DIGEST: '' })(at);
    });
    expect(ended.code).not.toBe(0);
    expect(emulator.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('from a fork, without key and token, is validated and neither planned nor commented', async () => {
    const { platform, emulator, commit, job } = await rehearsal('github');
    commit('fork', changed);
    const ended = await job('fork', action({ 'api-key': '', token: '' }));
    expect(ended).toMatchObject({ code: 0, outputs: { changes: '', 'plan-file': '' } });
    expect(ended.log).toContain('::notice title=sluice::There is no API key');
    expect([emulator.log, platform.requests]).toEqual([[], []]);
  });

  test('from a fork, is planned from a snapshot of main without key, token and request; a job of main comments', async () => {
    const { platform, emulator, commit, job } = await rehearsal('github');
    const kept = temporaryFiles({});
    const [snapshot, plan] = [join(kept, 'snapshot.json'), join(kept, 'pr.plan')];
    await job('main', action({ mode: 'apply' }));
    expect((await job('main', action({ mode: 'snapshot', snapshot }))).code).toBe(0);
    const requests = emulator.log.length;

    commit('more', changed);
    const fork = { snapshot, 'api-key': '', token: '', comment: 'false', 'plan-file': plan };
    expect(await job('more', action(fork))).toMatchObject({
      code: 0,
      outputs: { changes: 'true', 'exit-code': '2', 'review-digest': '' },
    });
    // Of another stack it reports nothing.
    const other = await job('more', (at) => {
      writeFileSync(join(at.cwd, 'edges/sluice.yaml'), stackFile.replace('5c1e7a90', '0badc0de'));
      return action({ ...fork, 'plan-file': join(kept, 'other.plan') })(at);
    });
    expect([other.code, existsSync(join(kept, 'other.plan'))]).toEqual([8, false]);
    expect([emulator.log.length, platform.requests]).toEqual([requests, []]);

    await job('main', async ({ cwd, env, url }) => {
      const { code, out, err } = await sluice(cwd, `-C edges comment ${plan} --pull-request 7 --required`, {
        env: { ...env, SLUICE_BASE_URL: url },
      });
      return { code, log: out + err, outputs: {} };
    });
    expect(comments(platform)).toEqual([expect.stringMatching(/1 to update[^]*Planned from a snapshot/)]);
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
    expect([ended.code, ended.log]).toEqual([
      8,
      expect.stringContaining('in sluice.yaml must also be allowed by the operator'),
    ]);
    expect(emulator.log).toEqual([]);
    expect(comments(platform)).toEqual([expect.stringContaining('ORIGIN_NOT_TRUSTED')]);
  });

  test('from a fork on GitLab, is planned from the snapshot at a URL, and validated without one', async () => {
    const { emulator, commit, job } = await rehearsal('gitlab');
    let kept = '';
    const { url } = await httpService((_, response) => void response.writeHead(kept === '' ? 404 : 200).end(kept));
    const fork = { SLUICE_API_KEY: '', GITLAB_TOKEN: '' };
    const snapshot = `${url}/sluice-snapshot.json`;
    await job('main', async (at) => {
      const saved = await component('snapshot', {}, { snapshot })(at);
      kept = readFileSync(join(at.cwd, 'sluice-snapshot.json'), 'utf8');
      return saved;
    });
    const requests = emulator.log.length;
    commit('more', changed, { 'sluice-report.json': 'a file of the checkout is no report' });
    const planned = await job('more', async (at) => {
      const ended = await component('plan', fork, { snapshot })(at);
      return { ...ended, log: ended.log + readFileSync(join(at.cwd, 'sluice-plan.json'), 'utf8') };
    });
    expect([planned.code, planned.log]).toEqual([0, expect.stringContaining('"snapshot": {')]);
    const validated = await job('more', async (at) => {
      const ended = await component('plan', fork)(at);
      expect(existsSync(join(at.cwd, 'sluice-report.json'))).toBe(false);
      return ended;
    });
    expect(validated).toMatchObject({ code: 0, log: expect.stringContaining('validated and not planned') as string });
    expect(emulator.log.length).toBe(requests);
    kept = '';
    expect((await job('more', component('plan', fork, { snapshot }))).code).not.toBe(0);
  });

  test('on GitLab: plan, comment, push again, merge, apply, drift', async () => {
    const { platform, commit, merge, job } = await rehearsal('gitlab');
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
      return component('apply', { SLUICE_DIGEST: digest })(at);
    });
    expect([ended.code, ended.log]).toEqual([0, expect.stringContaining('Applied: 3 created')]);
    expect((await job('main', component('drift'))).code).toBe(0);
  });
});
