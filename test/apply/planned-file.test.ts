import { describe, expect, test } from 'vitest';
import { writePlannedFile, type WriteFile } from '../../src/apply/planned-file.ts';
import { isEmptyPlan, type Plan } from '../../src/model/plan/plan.ts';
import { harness, type Harness } from '../support/harness.ts';

const path = 'ssh/bastion-cert.pub';
const bastion = (lifecycle: string, description = '') => ({
  'stack.yaml': `apiVersion: sluice/v1
kind: SSHHostCertificate
metadata: {name: bastion}
lifecycle: {certificate_file: ${path}${lifecycle}}
spec:
  description: "${description}"
  ssh_certificate_authority_id: sshca_hosts
  public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIJjIbroJkak329vP7z36PpVOQifX5y76A+H0/pjS6zj bastion
`,
});
const renewed = bastion(', valid_for: 90d, renew_before: 30d');

/** A pipeline at a moment that can be moved. */
function pipeline(): { readonly walk: Harness; readonly later: (days: number) => void } {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const walk = harness({ time: () => now, service: { clock: () => new Date(now) } });
  return { walk, later: (days) => (now += days * 86_400_000) };
}

const fullDisk = { writeFile: () => Promise.reject(new Error('ENOSPC: no space left on device')) };

function writes({ changes }: Plan): string[] {
  return changes.map(({ action, address }) => `${action} ${address.replace(/_\w{27}/g, '_ID')}`);
}

describe('what is issued', () => {
  test('ends so long after apply begins, to the second', async () => {
    const { walk } = pipeline();
    const { plan } = await walk.plan(renewed);
    await walk.apply(plan, { now: () => Date.parse('2026-02-01T12:34:56.789Z') });
    const { account } = await walk.plan(renewed);
    expect(account.ours.get('SSHHostCertificate/bastion')?.spec['valid_until']).toBe('2026-05-02T12:34:56Z');
  });

  test('has no file that fails before it is there', async () => {
    const { walk } = pipeline();
    const endings: string[] = [];
    await walk.apply((await walk.plan(renewed)).plan, {
      onEvent: (event) => event.type === 'finished' && endings.push(event.outcome.ending),
    });
    expect(endings).toEqual(['done']);
  });

  test('is in its file before what it replaces goes', async () => {
    const { walk, later } = pipeline();
    await walk.converge(renewed);
    const first = walk.files.get(path);
    expect(first).toMatch(/^ssh-ed25519-cert-v01@openssh\.com [A-Za-z0-9+/=]+\n$/);
    later(70);
    const { plan } = await walk.plan(renewed);
    const seen: string[] = [];
    walk.emulator.intercept(({ method }, next) => {
      if (method === 'DELETE') seen.push(walk.files.get(path) === first ? 'the old one' : 'the new one');
      return next();
    });
    const { changes } = await walk.apply(plan);
    expect(changes.map(({ ending }) => ending)).toEqual(['done']);
    expect(seen).toEqual(['the new one']);
    expect(isEmptyPlan((await walk.plan(renewed)).plan)).toBe(true);
  });
});

describe('a file that cannot be written', () => {
  test('fails its change, which the next run finishes without a second certificate', async () => {
    const { walk } = pipeline();
    const outcome = await walk.apply((await walk.plan(renewed)).plan, fullDisk);
    expect(outcome.changes).toMatchObject([
      {
        ending: 'failed',
        code: 'FILE_NOT_WRITTEN',
        partiallyApplied: true,
        id: expect.stringMatching(/^shcrt_/) as string,
        message: `cannot write ${path}: ENOSPC: no space left on device`,
      },
    ]);
    const { plan } = await walk.plan(renewed);
    expect(writes(plan)).toEqual(['write-file SSHHostCertificate/bastion']);
    expect(await walk.apply(plan)).toMatchObject({ requests: 0, changes: [{ action: 'write-file', ending: 'done' }] });
    expect(isEmptyPlan((await walk.plan(renewed)).plan)).toBe(true);
  });

  test('keeps the certificate that was to be replaced, until it can be', async () => {
    const { walk, later } = pipeline();
    await walk.converge(renewed);
    later(70);
    const outcome = await walk.apply((await walk.plan(renewed)).plan, fullDisk);
    expect(outcome.changes).toMatchObject([{ action: 'replace-create-first', ending: 'failed' }]);
    expect(outcome.requests).toBe(1);
    const { plan } = await walk.plan(renewed);
    expect(writes(plan)).toEqual([
      'write-file SSHHostCertificate/bastion',
      'delete SSHHostCertificate/bastion (deposed shcrt_ID)',
    ]);
    await walk.apply(plan);
    expect(isEmptyPlan((await walk.plan(renewed)).plan)).toBe(true);
    expect((await walk.plan(renewed)).account.foreign).toEqual([]);
  });

  test('does not keep another change of the same resource from being made', async () => {
    const { walk } = pipeline();
    await walk.converge(bastion(''));
    walk.files.clear();
    const reported: string[] = [];
    const { plan } = await walk.plan(bastion('', 'Gate'));
    const outcome = await walk.apply(plan, {
      ...fullDisk,
      onEvent: (event) => {
        if (event.type === 'finished') reported.push(event.outcome.ending);
      },
    });
    expect(outcome).toMatchObject({
      requests: 1,
      changes: [{ action: 'update', ending: 'failed', partiallyApplied: true }],
    });
    expect(reported).toEqual(['failed']);
    expect(writes((await walk.plan(bastion('', 'Gate'))).plan)).toEqual(['write-file SSHHostCertificate/bastion']);
  });
});

test('a run that is interrupted writes no file', async () => {
  const { walk } = pipeline();
  await walk.converge(renewed);
  walk.files.clear();
  const { plan } = await walk.plan(renewed);
  const outcome = await walk.apply(plan, { signal: AbortSignal.abort() });
  expect(outcome).toMatchObject({ interrupted: true, changes: [{ action: 'write-file', ending: 'not-started' }] });
  expect(walk.files.size).toBe(0);
});

test('a certificate whose response was lost is found, and its file written all the same', async () => {
  const { walk } = pipeline();
  const { plan } = await walk.plan(renewed);
  let lost = 0;
  walk.emulator.intercept(async (request, next) => {
    const answer = await next();
    return request.method === 'POST' && lost++ === 0 ? { ...answer, body: '{"id":' } : answer;
  });
  const { changes } = await walk.apply(plan);
  expect(changes.map(({ ending }) => ending)).toEqual(['done']);
  expect(walk.files.get(path)).toMatch(/^ssh-ed25519-cert/);
  expect(isEmptyPlan((await walk.plan(renewed)).plan)).toBe(true);
});

test.each<[string, string | undefined, WriteFile | undefined, string]>([
  ['without content', undefined, () => Promise.resolve(), 'the service returned no content for this file'],
  [
    'in a run that writes none',
    'text',
    undefined,
    'this run cannot write the file: it was started without a function that writes files',
  ],
  ['on a full disk', 'text', fullDisk.writeFile, 'ENOSPC: no space left on device'],
])('a file %s is a failure that names it', async (_, text, write, why) => {
  const file = { address: 'SSHHostCertificate/bastion', path, reason: 'missing' } as const;
  expect(await writePlannedFile(file, text, write)).toMatchObject({
    ending: 'failed',
    error: { code: 'FILE_NOT_WRITTEN', message: expect.stringContaining(`cannot write ${path}: ${why}`) as string },
  });
});
