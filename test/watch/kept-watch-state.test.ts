import { stat } from 'node:fs/promises';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fileDocument } from '../../src/state/file/file-document.ts';
import type { ChangeOutcome } from '../../src/model/outcome.ts';
import { KeptWatchState } from '../../src/watch/kept-watch-state.ts';
import { approvalLifetimeMs, readOperatorRequests, recordApproval } from '../../src/watch/operator-requests.ts';
import { directory } from '../cli/terminal.ts';

const id = '7f3a9c21';
const digest = `sha256:${'0'.repeat(64)}`;
const awaited = { digest, plan: 'No changes.\n', summary: { changes: [], hazards: [] }, follows: [] };

/** What a watch keeps in a file of its own. */
async function kept(text?: string) {
  const path = join(await directory(text === undefined ? {} : { 'watch-state.json': text }), 'watch-state.json');
  const another = (stack = id): KeptWatchState => new KeptWatchState(fileDocument(path), stack);
  return { path, state: another(), another };
}

test('without a document, a watch begins with an empty state', async () => {
  const { state } = await kept();
  await state.load(() => expect.unreachable());
  expect([state.isLoaded, state.now.history, state.now.awaited]).toEqual([true, [], undefined]);
});

test.each([
  ['is not JSON', '{'],
  ['is of a later format', '{"format":2}'],
])('a document that %s counts as none, since nothing in it is required', async (_, text) => {
  const { state } = await kept(text);
  const lost: string[] = [];
  await state.load((message) => lost.push(message));
  expect([state.isLoaded, state.now.history]).toEqual([true, []]);
  expect(lost).toEqual([
    expect.stringMatching(/watch-state\.json is damaged, was removed or replaced, or was written by /),
  ]);
});

test('a document that cannot be read is an error, and counts once it can be read', async () => {
  const { path, state, another } = await kept();
  mkdirSync(path);
  await expect(state.load()).rejects.toMatchObject({ code: 'WATCH_STATE_UNREADABLE' });
  expect([state.isLoaded, state.now.history]).toEqual([false, []]);
  rmSync(path, { recursive: true });
  const other = another();
  await other.load();
  other.update({ url: 'http://127.0.0.1:8080/' });
  await other.save();
  await state.load();
  expect([state.isLoaded, state.now.url]).toEqual([true, 'http://127.0.0.1:8080/']);
});

test('what was saved is there after a restart, with the same digests of secrets', async () => {
  const { state, another } = await kept();
  await state.load();
  state.update({ url: 'http://127.0.0.1:8080/' });
  state.update({ usedApprovals: [{ digest, at: 1 }] });
  expect(state.isSaved).toBe(false);
  await state.save();
  expect(state.isSaved).toBe(true);
  const again = another();
  await again.load();
  expect(again.now).toMatchObject(state.now);
  expect(again.digest('s3cret')).toBe(state.digest('s3cret'));
  state.update({ url: undefined });
  expect([state.now.url, state.isSaved]).toEqual([undefined, false]);
});

test('what the watch of another stack keeps is refused and left as it is', async () => {
  const { state, another } = await kept();
  await state.load();
  state.update({ awaited });
  await state.save();
  const other = another('0badcafe');
  await expect(other.load()).rejects.toMatchObject({
    code: 'STATE_STACK_MISMATCH',
    message: expect.stringMatching(/watch-state\.json belongs to stack 7f3a9c21, not to 0badcafe$/) as string,
  });
  expect([other.isLoaded, other.now.awaited]).toEqual([false, undefined]);
});

test('what can be approved is reported when it is saved first, and not again', async () => {
  const { state } = await kept();
  await state.load();
  state.update({ awaited });
  expect(await state.save()).toBe(digest);
  expect(await state.save()).toBeUndefined();
  state.update({ awaited: undefined });
  expect(await state.save()).toBeUndefined();
});

test('a document that cannot be written stays unsaved', async () => {
  const { path, state } = await kept();
  await state.load();
  mkdirSync(path);
  writeFileSync(join(path, 'a'), '');
  state.update({ url: 'http://127.0.0.1:8080/' });
  await expect(state.save()).rejects.toMatchObject({ code: 'FILE_NOT_WRITTEN' });
  expect(state.isSaved).toBe(false);
});

const record = {
  startedAt: 1,
  finishedAt: 2,
  trigger: 'revision',
  digest,
  approvals: [],
  outcome: [{ address: 'ReservedAddr/a', action: 'create', ending: 'done' }],
  requests: 1,
  plan: '+ ReservedAddr/a\n',
} as const;

test('the last fifty applies are kept, newest first, and a new one is to be saved', async () => {
  const { state, another } = await kept();
  await state.load();
  for (let n = 0; n < 52; n++) state.addRecord({ ...record, startedAt: n });
  await state.save();
  const again = another();
  await again.load();
  expect(again.now.history).toHaveLength(50);
  expect([again.now.history[0]?.startedAt, again.now.history.at(-1)?.startedAt]).toEqual([51, 2]);
  expect(again.isSaved).toBe(true);
  again.addRecord({ ...record, startedAt: 52 });
  expect(again.isSaved).toBe(false);
});

test('applies of the time in which the document could not be read are added to those in it', async () => {
  const { path, state, another } = await kept();
  await state.load();
  state.addRecord(record);
  await state.save();
  renameSync(path, `${path}-away`);
  mkdirSync(path);
  const again = another();
  for (const startedAt of [5, 7]) {
    await expect(again.load()).rejects.toMatchObject({ code: 'WATCH_STATE_UNREADABLE' });
    again.addRecord({ ...record, startedAt });
  }
  rmSync(path, { recursive: true });
  renameSync(`${path}-away`, path);
  const other = another();
  await other.load();
  other.addRecord({ ...record, startedAt: 6 });
  await other.save();
  await again.load();
  expect(again.now.history.map(({ startedAt }) => startedAt)).toEqual([7, 6, 5, 1]);
  expect(again.isSaved).toBe(false);
  await again.save();
  await again.load();
  expect(again.now.history).toHaveLength(4);
  expect(again.isSaved).toBe(true);
});

test('of the applies before the document was damaged, only those that were not saved yet are kept', async () => {
  const { path, state } = await kept();
  await state.load();
  state.addRecord(record);
  await state.save();
  state.addRecord({ ...record, startedAt: 5 });
  writeFileSync(path, '{');
  await state.load();
  expect(state.now.history.map(({ startedAt }) => startedAt)).toEqual([5]);
});

test('an approval of the awaited changes counts once, and for a week', async () => {
  const { state, path } = await kept();
  await state.load();
  state.update({ awaited });
  await state.save();
  const backend = { document: (name: string) => fileDocument(join(dirname(path), `${name}.json`)) };
  await recordApproval(backend, { digest, by: 'ann', at: 1_000 });
  const { approvals } = await readOperatorRequests(backend.document('watch-requests'));
  expect(state.unreadApproval(approvals, 2_000)).toEqual({ digest, by: 'ann', at: 1_000 });
  expect(state.unreadApproval(approvals, 1_000 + approvalLifetimeMs)).toBeUndefined();
  state.update({ usedApprovals: [{ digest, at: 1_000, acceptedAt: 2_000 }] });
  expect(state.unreadApproval(approvals, 2_000)).toBeUndefined();
});

test('of an apply it is kept whether a person asked for it', async () => {
  const { state, another } = await kept();
  await state.load();
  state.addRecord(record);
  state.addRecord({ ...record, isRequested: true });
  await state.save();
  const again = another();
  await again.load();
  expect(again.now.history).toEqual([{ ...record, isRequested: true }, record]);
});

test.each([
  ['an outcome that is no object', { history: [{ ...record, outcome: [null] }] }],
  ['an outcome without an ending', { history: [{ ...record, outcome: [{ address: 'a', action: 'create' }] }] }],
  ['a salt that is too short', { salt: 'short' }],
  ['more applies than fifty', { history: Array.from({ length: 51 }, () => record) }],
])('a document with %s counts as none', async (_, wrong) => {
  const whole = { format: 1, salt: '0123456789abcdef', repairs: {}, history: [record], approved: {} };
  const read = async (facts: object) => {
    const { state } = await kept(JSON.stringify({ ...whole, usedApprovals: [], ...facts }));
    await state.load();
    return state.now.history.length;
  };
  expect([await read({}), await read(wrong)]).toEqual([1, 0]);
});

test('a page, a status or awaited changes of another form are left out, and the rest is kept', async () => {
  const whole = { format: 1, salt: '0123456789abcdef', repairs: {}, history: [record], approved: {} };
  const other = { url: 'javascript:alert(1)', awaited: { digest }, recorded: { ready: {} }, usedApprovals: [] };
  const { state } = await kept(JSON.stringify({ ...whole, ...other }));
  await state.load();
  expect(state.now.history).toEqual([record]);
  expect([state.now.url, state.now.awaited, state.now.recorded]).toEqual([undefined, undefined, undefined]);
});

test('of an apply of very many changes, those that were not done are kept, and the rest in numbers', async () => {
  const { path, state, another } = await kept();
  await state.load();
  const outcome = Array.from({ length: 1_000 }, (_, n): ChangeOutcome => ({
    address: `ReservedAddr/a${String(n)}`,
    action: 'create',
    ending: n % 100 === 99 ? 'failed' : 'done',
  }));
  const record = { startedAt: 1, finishedAt: 2, trigger: 'revision', digest, approvals: [], requests: 1_000 } as const;
  for (let at = 1; at <= 60; at++) state.addRecord({ ...record, startedAt: at, outcome, plan: '' });
  expect(state.now.history[0]?.outcome).toHaveLength(1_000);
  await state.save();
  expect((await stat(path)).size).toBeLessThan(2_000_000);
  const again = another();
  await again.load();
  expect(again.now.history).toHaveLength(50);
  for (const one of again.now.history) {
    expect(one.outcome).toHaveLength(200);
    expect(one.outcome.filter(({ ending }) => ending === 'failed')).toHaveLength(10);
    expect(one.omitted).toEqual([{ action: 'create', ending: 'done', count: 800 }]);
  }
});
