/*
 * A pull request whose approval is what counts: the real steps of action.yml publish the digest of its plan and apply what was
 * reviewed after the merge, with the emulator as the service and the stand-in of GitHub; and what may go wrong in between.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/emulator/emulator.ts';
import { notBuilt } from '../support/processes.ts';
import { reviewPlatform, type ReviewPlatform } from '../support/review-platform.ts';
import { runAction, type PipelineEnd } from '../support/run-steps.ts';
import { company, stack, stackFile } from '../cli/terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const key = 'canary-key-of-the-pipeline';

interface Merge {
  readonly platform: ReviewPlatform;
  readonly emulator: Emulator;
  readonly action: (inputs: Readonly<Record<string, string>>) => Promise<PipelineEnd>;
}

/** A pull request whose plan was published and approved. */
async function approved(manifests = company): Promise<Merge> {
  const platform = await reviewPlatform('github');
  const emulator = createEmulator({ apiKey: key });
  const { url, close } = await emulator.listen();
  onTestFinished(close);
  const cwd = await stack(manifests, stackFile.replace('embedded', JSON.stringify(url)));
  const action = async (
    inputs: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<PipelineEnd> => {
    const temp = mkdtempSync(join(tmpdir(), 'sluice-merge-'));
    onTestFinished(() => {
      rmSync(temp, { recursive: true, force: true });
    });
    const env = { ...platform.env, GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: join(temp, 'summary.md'), ...more };
    const given = { 'base-url': url, 'api-key': key, comment: 'false', 'review-token': 'token-of-bot', ...inputs };
    const ended = await runAction(root, given, { cwd, temp, env });
    expect(ended.log).not.toContain(key);
    expect(ended.log).not.toContain('token-of-bot');
    return ended;
  };
  const planned = await action({}, { GITHUB_SHA: platform.head, GITHUB_REF: 'refs/pull/7/merge' });
  expect(planned).toMatchObject({ code: 0, outputs: { changes: 'true' } });
  expect(planned.outputs['review-digest']).toMatch(/^sha256:/);
  platform.review('carol');
  return { platform, emulator, action };
}

const written = ({ emulator }: Merge): number => emulator.log.filter(({ method }) => method !== 'GET').length;

describe.skipIf(notBuilt !== '')(`a reviewed merge${notBuilt}`, () => {
  test('is applied once; of two jobs at once, the other ends with 4', async () => {
    const merge = await approved();
    const ended = await Promise.all([merge.action({ mode: 'apply' }), merge.action({ mode: 'apply' })]);
    // The other one waits for the lock, and plans again.
    expect(ended.map(({ code }) => code).sort()).toEqual([0, 4]);
    expect(written(merge)).toBe(3);
    expect(await merge.action({ mode: 'apply' })).toMatchObject({ code: 4, outputs: { 'exit-code': '4' } });
  });

  test('is not applied after drift in between, nor by the digest that somebody forged for it', async () => {
    const merge = await approved();
    expect((await merge.action({ mode: 'apply', 'review-token': '' })).code).toBe(0);
    const headers = { authorization: `Bearer ${key}`, 'example-version': '2', 'content-type': 'application/json' };
    const [address] = merge.emulator.snapshot().resources.filter(({ kind }) => kind === 'ReservedAddr');
    const path = `/reserved_addrs/${address?.id ?? ''}`;
    await merge.emulator.handle({ method: 'PATCH', path, headers, body: JSON.stringify({ description: 'by hand' }) });
    const before = written(merge);
    const drifted = await merge.action({ mode: 'apply' });
    expect([drifted.code, drifted.log]).toEqual([4, expect.stringContaining('not the approved')]);
    const [, now = ''] = /the plan has the digest (sha256:\w+)/.exec(drifted.log) ?? [];
    merge.platform.status('mallory', now);
    merge.platform.review('carol');
    expect((await merge.action({ mode: 'apply' })).code).toBe(4);
    expect(written(merge)).toBe(before);
  });
});
