import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fleetMembers, type FleetMembersOptions } from '../../../src/watch/fleet/fleet-members.ts';
import { directory } from '../../cli/terminal.ts';
import { stubMember, type StubMember } from './stub-member.ts';

const stackFile = (id: string, key = 'SLUICE_API_KEY'): string =>
  `version: 1\nstack: {name: s, id: ${id}}\napi: {key: {from_env: ${key}}}\n`;

/** The stacks of a directory, started as stubs. */
async function fleet(files: Readonly<Record<string, string>>) {
  const dir = join(await directory(), 'fleet');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path, 'sluice.yaml')), { recursive: true });
    writeFileSync(join(dir, path, 'sluice.yaml'), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const [log, left]: [string[], string[]] = [[], []];
  const started = new Map<string, StubMember>();
  const sharesAtStart: number[] = [];
  let claim: Parameters<FleetMembersOptions['start']>[2] = () => undefined;
  let now = 1;
  const members = fleetMembers({
    dir,
    now: () => now,
    log: (level, event, message) => log.push(`${level} ${event}: ${message}`),
    start: (path, _version, given) => {
      claim = given;
      sharesAtStart.push(members.shareOfAccount(path));
      const member = stubMember({ path });
      started.set(path, member);
      return member;
    },
    onLeft: (path) => left.push(path),
  });
  await members.search();
  return {
    ...{ dir, members, log, left, started, sharesAtStart, write },
    claim: (path: string, id: string) => claim(path, id),
    remove: (path: string) => rmSync(join(dir, path), { recursive: true }),
    later: () => (now += 1),
  };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

test('a stack is started once, and gets its stack file with each search', async () => {
  const { members, started, log, write } = await fleet({ a: stackFile('0000000a') });
  expect(log).toEqual(['info found: found the stack a']);
  await members.search();
  write('a', `${stackFile('0000000a')}# longer\n`);
  await members.search();
  expect(new Set(started.get('a')?.seen).size).toBe(2);
  expect(log).toHaveLength(1);
});

test('a stack that is gone is let go, and forgotten once it has been', async () => {
  const { members, started, log, left, remove, claim } = await fleet({
    ...{ a: stackFile('0000000a'), b: stackFile('0000000b') },
  });
  remove('b');
  await members.search();
  expect([...members.all.keys()]).toEqual(['a']);
  expect([started.get('a')?.isStopped, started.get('b')?.isStopped, left]).toEqual([false, true, []]);
  expect(log.at(-1)).toBe(
    'info removed: b is no longer a stack: sluice stops watching it and deletes none of its resources',
  );
  expect(claim('c', '0000000b')).toBe('b');
  started.get('b')?.letGo();
  await settled();
  expect([left, claim('d', '0000000b')]).toEqual([['b'], 'c']);
});

test('a stack that is back before it was let go is not forgotten', async () => {
  const { members, started, left, remove, write, claim } = await fleet({ a: stackFile('0000000a') });
  const before = started.get('a');
  remove('a');
  await members.search();
  write('a', stackFile('0000000a'));
  await members.search();
  before?.letGo();
  await settled();
  expect([left, claim('b', '0000000a')]).toEqual([[], 'a']);
});

test('of two stacks with one id, each has the other as its rival, and no stack is its own', async () => {
  const { claim } = await fleet({ a: stackFile('0000000a'), b: stackFile('0000000a'), c: stackFile('0000000c') });
  expect([claim('a', '0000000a'), claim('b', '0000000a'), claim('c', '0000000c')]).toEqual(['b', 'a', undefined]);
});

test('a search that fails lets nothing go, and is logged once until another one succeeds', async () => {
  const { dir, members, started, log, later } = await fleet({ a: stackFile('0000000a') });
  expect(members.searched()).toEqual({ lastSearch: 1 });
  const seen = log.length;
  later();
  renameSync(dir, `${dir}-away`);
  await members.search();
  expect(log.slice(seen)).toEqual([expect.stringMatching(/^warn search: .*fleet/)]);
  await members.search();
  expect(members.searched()).toEqual({
    lastSearch: 1,
    searchFailure: expect.stringMatching(/does not exist$/) as string,
  });
  expect([members.all.size, started.get('a')?.isStopped]).toEqual([1, false]);
  renameSync(`${dir}-away`, dir);
  await members.search();
  expect([members.searched(), log.length]).toEqual([{ lastSearch: 2 }, seen + 1]);
});

test('the share of an account is that of the stacks with its key which this process has', async () => {
  const { members, started, sharesAtStart, remove } = await fleet({
    ...{ a: stackFile('0000000a'), b: stackFile('0000000b'), c: stackFile('0000000c', 'SLUICE_OTHER_KEY') },
    broken: 'version: [',
  });
  const shares = (): readonly number[] => ['a', 'b', 'c', 'none'].map(members.shareOfAccount);
  // Of each, those that start after it are known already.
  expect(sharesAtStart).toEqual([0, 0, 0, 0]);
  expect(shares()).toEqual([0, 0, 0, 0]);
  started.get('a')!.isHeld = true;
  started.get('c')!.isHeld = true;
  expect(shares()).toEqual([0.5, 0.5, 1, 0]);
  remove('b');
  await members.search();
  expect(members.shareOfAccount('a')).toBe(1);
});

test('is stopped once all stacks have been let go, those that are gone among them', async () => {
  const { members, started, remove } = await fleet({ a: stackFile('0000000a'), b: stackFile('0000000b') });
  remove('b');
  await members.search();
  let isStopped = false;
  const stopped = members.stop().then(() => (isStopped = true));
  started.get('a')?.letGo();
  await settled();
  expect([isStopped, started.get('a')?.isStopped]).toEqual([false, true]);
  started.get('b')?.letGo();
  await stopped;
});
