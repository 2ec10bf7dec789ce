import { expect, test } from 'vitest';
import type { ApprovingCommit } from '../../../src/stack/git/approving-commits.ts';
import { approvalsIn, isOvertaken, isUsedUp, refusedCommit } from '../../../src/watch/decide/used-approvals.ts';
import { address } from '../start-watch.ts';
import { rig, start } from '../rig.ts';

const day = 86_400_000;
const digest = `sha256:${'0d44e1f7'.repeat(8)}`;
const other = `sha256:${'1'.repeat(64)}`;

function approving(change: Partial<ApprovingCommit> = {}): ApprovingCommit {
  const commit = '4f2d1c8a90b3e5d7'.padEnd(40, '0');
  return { commit, subject: 'Approve', digest, at: start, signature: { by: 'ada@example.com' }, ...change };
}

test('a commit approves for a week, with its signer and subject', () => {
  const approval = { digest, by: 'ada@example.com', at: start, reason: 'commit 4f2d1c8a90b3: Approve' };
  expect(approvalsIn([approving()], start + 6 * day)).toEqual([approval]);
  expect(approvalsIn([approving()], start + 7 * day)).toEqual([]);
  expect(approvalsIn([approving()], start - day)).toEqual([]);
  expect(approvalsIn([approving({ signature: { problem: 'the commit has no SSH signature' } })], start)).toEqual([]);
  expect(approvalsIn([approving({ digest: 'sha256:0d44' })], start)).toEqual([]);
});

test('an approval of the moment at which the record of approvals was lost may be used up', () => {
  const lost = { usedApprovals: [], approvalsLostAt: start };
  expect(isUsedUp(lost, { digest, at: start })).toBe(true);
  expect(isUsedUp(lost, { digest, at: start + 1 })).toBe(false);
});

test('an approval is overtaken by one of the same moment or later, and by none that was given before', () => {
  const used = [{ digest, at: start, acceptedAt: start + 5 }];
  expect([start, start + 5, start + 6].map((at) => isOvertaken({ digest, at }, used))).toEqual([true, true, false]);
});

test.each<[string, readonly ApprovingCommit[], string | undefined]>([
  ['none approves anything', [], undefined],
  ['it counts', [approving()], undefined],
  ['it is not signed', [approving({ signature: { problem: 'the commit has no SSH signature' } })], 'no SSH signature'],
  [
    'it approves something else',
    [approving({ digest: other })],
    `the commit approves ${other}, which is not the digest of the changes that now require approval`,
  ],
  [
    'a newer one approves something else',
    [approving({ digest: other }), approving({ commit: 'a' })],
    'is not the digest of the changes that now require approval',
  ],
  ['it approves several stacks', [approving({ digest: other }), approving()], undefined],
  [
    'the digest is cut',
    [approving({ digest: 'sha256:0d44' })],
    'sha256:0d44 is not sha256: followed by 64 hexadecimal digits',
  ],
  ['it is old', [approving({ at: start - 7 * day })], 'the commit is more than a week old'],
  ['it is dated in the future', [approving({ at: start + day })], 'the date of the commit is in the future'],
  ['its date is an hour ahead, as clocks may differ', [approving({ at: start + 3_600_000 })], undefined],
  ['what was approved is old', [approving({ digest: other, at: start - 7 * day })], undefined],
])('why a commit does not approve: %s', (_, commits, expected) => {
  const refused = refusedCommit(commits, digest, { used: { usedApprovals: [] }, now: start });
  if (expected === undefined) expect(refused).toBeUndefined();
  else expect(refused).toContain(expected);
});

test('a commit approves once, also if the branch was moved back and forth', async () => {
  const watch = rig({ 'a.yaml': address('A') }, { applyOnChange: false });
  const described = (): unknown => watch.spec('ReservedAddr/mqtt')?.['description'];
  const isOpen = async (): Promise<string | undefined> =>
    (await watch.until(({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined)).awaited
      ?.digest;
  const isDone = async (): Promise<unknown> =>
    watch.until(({ awaited, nextRefresh }) => awaited === undefined && nextRefresh !== undefined);
  await isOpen();
  await watch.approve();
  await isDone();
  watch.write({ 'a.yaml': address('B') });
  const pending = await isOpen();
  const commit = approving({ digest: pending ?? '', at: watch.now() });
  watch.commits([commit]);
  await isDone();
  expect(described()).toBe('B');
  watch.commits([]);
  watch.write({ 'a.yaml': address('A') });
  await isOpen();
  await watch.approve();
  await isDone();
  watch.write({ 'a.yaml': address('B') });
  expect(await isOpen()).toBe(pending);
  watch.commits([commit]);
  const { refusedApproval } = await watch.until((status) => status.refusedApproval !== undefined);
  expect(refusedApproval).toContain(
    'the approval in this commit was already used, and each approval can be used only once',
  );
  expect(described()).toBe('A');
  // Another commit for the same changes, which are to be made again.
  watch.commits([{ ...commit, commit: 'a'.repeat(40), at: watch.now() }]);
  await isDone();
  expect(described()).toBe('B');
});

/** A watch of which a person has approved A, and then B by command; with the digest of B. */
async function approvedByCommand() {
  const watch = rig({ 'a.yaml': address('A') }, { applyOnChange: false });
  const pending = async (): Promise<string> =>
    (await watch.until(({ awaited, nextRefresh }) => awaited !== undefined && nextRefresh !== undefined)).awaited
      ?.digest ?? '';
  const approved = async (): Promise<void> => {
    await pending();
    await watch.approve();
    await watch.until(({ awaited, nextRefresh }) => awaited === undefined && nextRefresh !== undefined);
  };
  await approved();
  watch.write({ 'a.yaml': address('B') });
  const digest = await pending();
  const shownAt = watch.now();
  await approved();
  const described = (): unknown => watch.spec('ReservedAddr/mqtt')?.['description'];
  return { watch, pending, approved, digest, shownAt, described };
}

test('a commit of the time when a command approved the same is used up, and not kept for the same changes later', async () => {
  const { watch, pending, approved, digest, shownAt, described } = await approvedByCommand();
  watch.commits([approving({ digest, at: shownAt - 1 })]);
  await watch.rests();
  watch.write({ 'a.yaml': address('A') });
  await approved();
  watch.write({ 'a.yaml': address('B') });
  expect(await pending()).toBe(digest);
  expect((await watch.rests()).refusedApproval).toContain('already used');
  expect(described()).toBe('A');
});

test('a commit of the time when a command approved the same does not count either where it arrives when they are pending again', async () => {
  const { watch, pending, approved, digest, shownAt, described } = await approvedByCommand();
  watch.write({ 'a.yaml': address('A') });
  await approved();
  watch.write({ 'a.yaml': address('B') });
  expect(await pending()).toBe(digest);
  watch.commits([approving({ digest, at: shownAt - 1 })]);
  expect((await watch.rests()).refusedApproval).toContain('already used');
  expect(described()).toBe('A');
  await watch.pass(60_000);
  watch.commits([approving({ commit: 'a'.repeat(40), digest, at: watch.now() })]);
  await watch.rests();
  expect(described()).toBe('B');
});

test('a commit of later counts for a week, although the same was approved before: once, when it is pending again', async () => {
  const { watch, pending, approved, digest, described } = await approvedByCommand();
  watch.write({ 'a.yaml': address('A') });
  await approved();
  await watch.pass(60_000);
  const commit = approving({ digest, at: watch.now() });
  watch.commits([commit]);
  await watch.rests();
  expect(watch.log.filter((line) => line.includes('approval-unused'))).toEqual([]);
  await watch.oversleep(5 * day);
  watch.write({ 'a.yaml': address('B') });
  await watch.rests();
  expect(described()).toBe('B');
  watch.write({ 'a.yaml': address('A') });
  await approved();
  watch.write({ 'a.yaml': address('B') });
  expect(await pending()).toBe(digest);
  await watch.rests();
  expect(described()).toBe('A');
});
