import { chmodSync, chownSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { directory, sluice, stackFile } from '../cli/terminal.ts';
import type { FileText } from '../../src/files/safe-file.ts';
import type { DocumentName, KeptDocument } from '../../src/state/backend.ts';
import { fileDocument } from '../../src/state/file/file-document.ts';
import { keptText, mostKept } from '../../src/watch/kept-text.ts';
import { nobody } from '../support/another-user.ts';
import {
  approvalLifetimeMs,
  isProven,
  readOperatorRequests,
  recordApproval,
  recordPause,
  updateOperatorRequests,
} from '../../src/watch/operator-requests.ts';

const leftOut = process.getuid?.() === 0 ? '' : ' (LEFT OUT: only root can act for two users)';
const digest = `sha256:${'0'.repeat(64)}`;
const state = {
  format: 1,
  stack: '5c1e7a90',
  salt: '0123456789abcdef',
  repairs: {},
  history: [],
  approved: {},
  usedApprovals: [],
};

describe.skipIf(leftOut !== '')(`root in a directory that everybody may write in${leftOut}`, () => {
  test.each(['pause', 'resume', `approve ${digest} --auto-approve`])(
    '%s reports that the watch of another user could not read it',
    async (line) => {
      const { dir, requests } = await watchedBy(nobody);
      const { code, out, err } = await sluice(dir, line);
      expect(code).toBe(1);
      expect(out).not.toContain('Approved');
      expect(err).toContain('error: sluice watch runs with user id 65534 and could not read a file of user id 0');
      expect(existsSync(requests)).toBe(false);
    },
  );

  test.each(['pause', 'resume', `approve ${digest} --auto-approve`])(
    '%s succeeds for a watch of root',
    async (line) => {
      const { dir, requests } = await watchedBy(0);
      expect(await sluice(dir, line)).toMatchObject({ code: 0 });
      expect(existsSync(requests)).toBe(true);
    },
  );
});

/** A stack whose files everybody may replace, with the state of a watch of some user. */
async function watchedBy(uid: number): Promise<{ readonly dir: string; readonly requests: string }> {
  const text = JSON.stringify({
    ...state,
    awaited: { digest, plan: 'No changes.\n', summary: { changes: [], hazards: [] }, follows: [] },
  });
  const dir = await directory({ 'sluice.yaml': stackFile, '.sluice/watch-state.json': text });
  chmodSync(join(dir, '.sluice'), 0o777);
  chownSync(join(dir, '.sluice/watch-state.json'), uid, uid);
  return { dir, requests: join(dir, '.sluice/watch-requests.json') };
}

/** The documents of a watch, whose state is the one above. */
const beside = (requests: KeptDocument) => ({
  document: (name: DocumentName): KeptDocument =>
    name === 'watch-requests'
      ? requests
      : { ...requests, read: () => Promise.resolve({ text: JSON.stringify(state) }) },
});

describe('the requests of operators', () => {
  const file = '.sluice/watch-requests.json';
  const requestsIn = async (files: Readonly<Record<string, string>>) =>
    readOperatorRequests(fileDocument(join(await directory(files), file)));

  test('are none where there is no file', async () => {
    expect(await requestsIn({})).toEqual({ format: 1, approvals: [] });
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ['is a directory', { [`${file}/a`]: '' }],
    ['is not JSON', { [file]: '{' }],
    ['is of a later format', { [file]: '{"format":2,"approvals":[]}' }],
    ['has a pause without an end', { [file]: '{"format":1,"pause":{},"approvals":[]}' }],
    ['has an approval of no plan', { [file]: '{"format":1,"approvals":[{"digest":"sha256:1","by":"ada","at":1}]}' }],
  ])('may contain a pause where their file %s: that is an error, and not taken for none', async (_, files) => {
    await expect(requestsIn(files)).rejects.toMatchObject({
      code: 'OPERATOR_REQUESTS_UNREADABLE',
      message: expect.stringContaining('the file may contain a pause') as string,
    });
  });

  const document = async (text?: string) =>
    fileDocument(join(await directory(text === undefined ? {} : { 'requests.json': text }), 'requests.json'));
  const approval = (at: number, of = digest) => ({ digest: of, by: 'ada', at });

  test('keep a pause and the approvals of a week, at most the last hundred', async () => {
    const kept = await document();
    const pause = { until: 5, reason: 'the migration' };
    const approvals = [approval(0), approval(1), ...Array.from({ length: 100 }, (_, n) => approval(2 + n))];
    await updateOperatorRequests(kept, (before) => ({ ...before, pause, approvals }), 1);
    expect(await readOperatorRequests(kept)).toEqual({ format: 1, pause, approvals: approvals.slice(2) });
    await updateOperatorRequests(kept, ({ approvals }) => ({ format: 1, approvals }), 100 + approvalLifetimeMs);
    expect(await readOperatorRequests(kept)).toEqual({ format: 1, approvals: [approval(101)] });
  });

  test.each([
    ['200 characters', 'x'.repeat(200)],
    ['200 lines', '\n'.repeat(200)],
    ['more', 'x'.repeat(5_000)],
  ])('can be read again whatever text they keep: %s', async (_, text) => {
    const kept = await document();
    const [reason, by] = [keptText(text, mostKept.reason), keptText(text, mostKept.name)];
    await updateOperatorRequests(kept, (before) => ({ ...before, pause: { until: 5, reason, by } }), 1);
    expect((await readOperatorRequests(kept)).pause).toEqual({ until: 5, reason, by });
  });

  test('that could not be read again are not written', async () => {
    const kept = await document();
    await updateOperatorRequests(kept, (before) => ({ ...before, approvals: [approval(1)] }), 1);
    const unreadable = { until: 5, reason: 'x'.repeat(201) };
    await expect(updateOperatorRequests(kept, (before) => ({ ...before, pause: unreadable }), 1)).rejects.toThrow();
    expect(await readOperatorRequests(kept)).toEqual({ format: 1, approvals: [approval(1)] });
  });

  test.each<[string, () => Promise<FileText>]>([
    ['cannot be read', () => Promise.resolve({ code: 'FILE_UNREADABLE', message: 'cannot be read: EACCES' })],
    ['is in a store that does not respond', () => Promise.reject(new Error('no response'))],
  ])('record a pause but not its end where the watch state %s: no watch would accept the end', async (_, read) => {
    const kept = await document();
    const backend = { document: (name: DocumentName) => (name === 'watch-requests' ? kept : { ...kept, read }) };
    await recordPause(backend, { until: 5 }, 1);
    await expect(recordPause(backend, undefined, 2)).rejects.toThrow();
    expect(await readOperatorRequests(kept)).toMatchObject({ pause: { until: 5 } });
  });

  test.each(['pause --for 1h', `approve ${digest} --auto-approve`])('%s refuses a long reason', async (line) => {
    const dir = await directory({ 'sluice.yaml': stackFile });
    const { code, err } = await sluice(dir, `${line} --reason ${'x'.repeat(201)}`);
    expect([code, err]).toEqual([
      8,
      expect.stringContaining('--reason has 201 characters; the limit is 200') as string,
    ]);
  });

  test('that cannot be read are replaced', async () => {
    const kept = await document('{');
    await updateOperatorRequests(kept, (before) => ({ ...before, approvals: [approval(1)] }), 1);
    expect(await readOperatorRequests(kept)).toEqual({ format: 1, approvals: [approval(1)] });
  });

  test('that cannot be read are not replaced by an approval, which would end a pause that may be in them', async () => {
    const kept = await document('{');
    await expect(recordApproval(beside(kept), approval(1))).rejects.toMatchObject({
      code: 'OPERATOR_REQUESTS_UNREADABLE',
    });
    expect(await kept.read()).toEqual({ text: '{' });
  });

  test('have one approval of each digest, the last one, and keep the pause', async () => {
    const kept = await document();
    const other = `sha256:${'1'.repeat(64)}`;
    await updateOperatorRequests(kept, (before) => ({ ...before, pause: { until: 5 } }), 1);
    for (const one of [approval(1), approval(2, other), approval(3)]) await recordApproval(beside(kept), one);
    expect(await readOperatorRequests(kept)).toEqual({
      ...{ format: 1, pause: { until: 5 } },
      approvals: [approval(2, other), approval(3)].map((one) => expect.objectContaining(one) as unknown),
    });
  });

  test('have an approval that is proven by the state of the watch, and not if anything of it is another', async () => {
    const kept = await document();
    await recordApproval(beside(kept), { ...approval(1), reason: 'CHG-1042' });
    const [given = approval(0)] = (await readOperatorRequests(kept)).approvals;
    expect(isProven(given, state.salt)).toBe(true);
    for (const other of [{ by: 'eve' }, { at: 2 }, { reason: 'x' }, { digest: `sha256:${'1'.repeat(64)}` }])
      expect(isProven({ ...given, ...other }, state.salt)).toBe(false);
    expect(isProven(given, 'another salt of a watch')).toBe(false);
    expect(isProven(approval(1), state.salt)).toBe(false);
  });
});
