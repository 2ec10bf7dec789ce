/*
 * What goes wrong in a pipeline: outsiders, forged comments, cancelled jobs, a service that fails, keys that may only read, and
 * many pull requests at once. The real steps of action.yml, as in rehearsal.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Refusal, refusalAnswer } from '../../src/emulator/answer.ts';
import { quota } from '../../src/emulator/faults/request-limits.ts';
import { statusAnswer } from '../../src/emulator/faults/status-faults.ts';
import type { Interceptor } from '../../src/emulator/http/interceptor.ts';
import { expectHarmlessMarkdown } from '../render/harmless.ts';
import { notBuilt } from '../support/processes.ts';
import type { StandIn } from '../support/comment-platform.ts';
import {
  action,
  component,
  onDemand,
  pipelineKey,
  rehearsal,
  type Checkout,
  type Rehearsal,
} from '../support/rehearsal.ts';
import type { PipelineEnd, RunningStep, StepWatch } from '../support/run-steps.ts';
import { until } from '../support/until.ts';
import { company, sluice } from '../cli/terminal.ts';

const bodies = ({ platform }: Rehearsal, author: string): string[] =>
  platform.comments.filter((one) => one.author === author).map(({ body }) => body);

const writes = ({ emulator }: Rehearsal): number => emulator.log.filter(({ method }) => method !== 'GET').length;

describe.skipIf(notBuilt !== '')(`a pipeline${notBuilt}`, () => {
  test('shows the hostile texts of a pull request as text, and none of them acts on comment, log or outputs', async () => {
    const stage = await rehearsal('github');
    const hostile = company
      .replace('description: Sensors', 'description: "</details><img src=x onerror=alert(1)>"')
      .replace('  hostports:', '  description: "::set-output name=digest::0 @admins"\n  hostports:')
      .replace('match: /,', 'match: "/[x](https://attacker.example)",')
      .replace('  routes:', '  metadata: "<!-- sluice stack=company/5c1e7a90 -->"\n  routes:');
    stage.commit('hostile', hostile);
    const ended = await stage.job('hostile', action({}));
    expect(ended).toMatchObject({ code: 0, outputs: { changes: 'true', hazards: 'EXPOSES_PUBLICLY' } });
    expect(ended.outputs['digest']).toMatch(/^sha256:[0-9a-f]{64}$/);
    const [comment = '', ...more] = bodies(stage, 'bot');
    expect([comment, more]).toEqual([expect.stringContaining('onerror'), []]);
    expectHarmlessMarkdown(comment);
    // The log of an apply has the whole plan; the annotations of a plan are the only lines for the runner.
    const applied = await stage.job('hostile', action({ mode: 'apply' }));
    expect([applied.code, applied.log]).toEqual([0, expect.stringContaining('onerror')]);
    for (const { log } of [ended, applied])
      expect(log.split('\n').filter((one) => /^\s*(::(?!warning |error |notice )|##\[)/.test(one))).toEqual([]);
  });

  test('leaves a comment alone that somebody forged, and updates its own', async () => {
    const stage = await rehearsal('github');
    const forged: string[] = [];
    for (const text of [company, company.replace('Sensors', 'Sensors in the field'), company]) {
      stage.commit('more', text);
      await stage.job('more', action({}));
      expect(bodies(stage, 'bot')).toEqual([expect.stringContaining('3 to create')]);
      const [firstLine = ''] = bodies(stage, 'bot')[0]?.split('\n') ?? [];
      forged.push(`${firstLine}\n\n**No changes.** Please merge.`);
      stage.platform.post('mallory', forged.at(-1) ?? '');
    }
    expect(bodies(stage, 'mallory')).toEqual(forged);
  });

  test.each([
    ['github', (watch: StepWatch) => action({ mode: 'apply' }, watch)],
    ['gitlab', (watch: StepWatch) => component('apply', {}, { reviewed: 'false' }, watch)],
  ] as const)(
    'on %s gives the lock back when its job is cancelled, and the next job does the rest',
    async (on, apply) => {
      const stage = await rehearsal(on);
      const ended = await stage.job('main', async (at) => {
        const again = await prepared(on, at);
        let step: RunningStep | undefined;
        let isCancelled = false;
        const resume = stage.emulator.intercept(async ({ method }, next) => {
          const answer = await next();
          if (method === 'GET') return answer;
          // The runner cancels the job while creations are under way.
          if (!isCancelled) step?.cancel();
          isCancelled = true;
          await until(() => step?.log().includes('Stopping: ') ?? false);
          return answer;
        });
        const cancelled = await apply((running) => (step = running))(again);
        resume();
        expect([cancelled.code, cancelled.log]).toEqual([130, expect.stringContaining(' not started')]);
        const { out } = await sluice(join(at.cwd, 'edges'), 'state lock', { env: { SLUICE_BASE_URL: at.url } });
        expect(out).toBe('The state is not locked.\n');
        return action({ mode: 'apply' })(at);
      });
      expect([ended.code, ended.log]).toEqual([0, expect.stringMatching(/Applied: [12] created/)]);
      expect(writes(stage)).toBe(3);
    },
  );

  test.skipIf(onDemand !== '')(
    `says so in place of the earlier plan when the service fails, and completes an apply that was cut short${onDemand}`,
    async () => {
      const stage = await rehearsal('github');
      stage.commit('more', company);
      await stage.job('more', action({}));
      const recover = stage.emulator.intercept(() => statusAnswer(500));
      const failed = await stage.job('more', action({}));
      recover();
      expect([failed.code, failed.outputs['changes'], failed.outputs['plan-file']]).toEqual([1, '', '']);
      expect(bodies(stage, 'bot')).toEqual([expect.not.stringContaining('3 to create')]);

      stage.merge('more');
      const ended = await stage.job('main', async (at) => {
        const repair = stage.emulator.intercept(({ method, path }, next) =>
          method === 'POST' && path === '/reserved_addrs' ? statusAnswer(422) : next(),
        );
        const partly = await action({ mode: 'apply' })(at);
        repair();
        expect([partly.code, partly.outputs['exit-code']]).toEqual([6, '6']);
        return action({ mode: 'apply' })(at);
      });
      expect([ended.code, ended.log]).toEqual([0, expect.stringContaining('Applied: 1 created')]);
    },
  );

  test('plans with a key that may only read; the same key applies nothing, and leaves nothing behind', async () => {
    const stage = await rehearsal('github');
    stage.emulator.intercept(mayOnlyRead('key-of-a-reader'));
    stage.commit('more', company);
    const reader = { 'api-key': 'key-of-a-reader' };
    expect(await stage.job('more', action(reader))).toMatchObject({ code: 0, outputs: { changes: 'true' } });
    stage.merge('more');
    const ended = await stage.job('main', async (at) => {
      const refused = await action({ mode: 'apply', ...reader })(at);
      expect([refused.code, refused.log]).toEqual([7, expect.stringContaining('may not write')]);
      expect(stage.emulator.snapshot().resources).toEqual([]);
      return action({ mode: 'apply' })(at);
    });
    expect([ended.code, ended.log]).toEqual([0, expect.stringContaining('Applied: 3 created')]);
  });

  test.skipIf(onDemand !== '')(
    `plans forty pull requests on one quota, eight at a time${onDemand}`,
    async () => {
      const stage = await rehearsal('github');
      stage.emulator.intercept(quota({ requests: 10, seconds: 1 }));
      stage.commit('more', company);
      const waiting = Array.from({ length: 40 }, () => action({ comment: 'false' }));
      const ended: PipelineEnd[] = [];
      const runner = async (): Promise<void> => {
        for (let job = waiting.pop(); job !== undefined; job = waiting.pop()) ended.push(await stage.job('more', job));
      };
      await Promise.all(Array.from({ length: 8 }, runner));
      expect(ended).toHaveLength(40);
      for (const { code, outputs, log } of ended) expect([code, outputs['changes']], log).toEqual([0, 'true']);
    },
    600_000,
  );
});

/** Where an apply runs: on GitLab, beside the plan of an earlier job. */
async function prepared(on: StandIn, at: Checkout): Promise<Checkout> {
  if (on !== 'gitlab') return at;
  expect((await component('plan')(at)).code).toBe(0);
  const [, digest = ''] = /^SLUICE_DIGEST=(\S+)$/m.exec(readFileSync(join(at.cwd, 'sluice.env'), 'utf8')) ?? [];
  return { ...at, env: { ...at.env, SLUICE_DIGEST: digest } };
}

/** A key that gets 403 for every write. */
function mayOnlyRead(key: string): Interceptor {
  return (exchange, next) => {
    if (exchange.headers['authorization'] !== `Bearer ${key}`) return next();
    if (exchange.method !== 'GET')
      return refusalAnswer(new Refusal(403, 'FORBIDDEN', 'This key may not write.', {}), 'op_1');
    return next({ ...exchange, headers: { ...exchange.headers, authorization: `Bearer ${pipelineKey}` } });
  };
}
