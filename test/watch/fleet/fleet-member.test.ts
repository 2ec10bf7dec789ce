import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { StackContext } from '../../../src/stack/stack-context.ts';
import { libraryContext } from '../../../src/stack/library-context.ts';
import { takeApprovals } from '../../../src/watch/take-approvals.ts';
import { startMember, type FleetMember, type FleetOptions } from '../../../src/watch/fleet/fleet-member.ts';
import { createTurns } from '../../../src/watch/fleet/turns.ts';
import { directory } from '../../cli/terminal.ts';
import { until } from '../../support/until.ts';
import { handDriven } from '../hand-driven.ts';
import { stackFiles } from './start-fleet.ts';

const embedded = 'api: {base_url: embedded, vendor: example}\n';

/** A stack of a fleet. A watch that runs needs the clock on the wall; one that cannot be started, none that goes by. */
async function member(
  files: Readonly<Record<string, string>>,
  more: Partial<FleetOptions> & { readonly fleet?: StackContext['fleet']; readonly isStill?: boolean } = {},
) {
  const dir = await directory(files);
  const time = handDriven(0);
  const { fleet, isStill = true, ...options } = more;
  const plain = libraryContext({ dir, env: {}, signal: new AbortController().signal });
  const io = isStill ? { ...plain.io, clock: time.clock, now: time.now } : plain.io;
  const context = { ...plain, io, ...(fleet === undefined ? {} : { fleet }) };
  const log: string[] = [];
  const left: string[] = [];
  const one = startMember('a', 'first', {
    ...{ context, dir, url: undefined, parallelism: 1, join: createTurns(1).join, claim: () => undefined },
    log: (level, event, message) => log.push(`${level} ${event}: ${message}`),
    approvalsOf: takeApprovals(context, {}, { dir, isServed: true }),
    gaveBack: (path) => left.push(path),
    ...options,
  });
  onTestFinished(one.stop);
  return { one, dir, log, left, time };
}

const failureOf = (one: FleetMember) => one.stack().failure;
const hasFailed = (one: FleetMember, attempts = 1) => until(() => failureOf(one)?.attempts === attempts);

describe('a stack of a fleet that cannot be watched', () => {
  test('reports where its stack file is wrong, and is tried again later, or at once after the file has changed', async () => {
    const { one, log, time } = await member({ 'a/sluice.yaml': 'version: [' });
    await hasFailed(one);
    const failure = failureOf(one);
    expect(failure).toMatchObject({ scope: 'stack', code: 'SYNTAX_ERROR', since: 0, attempts: 1 });
    expect(failure?.message).toMatch(/^sluice\.yaml:1: /);
    expect(failure?.nextAttempt).toBe(4_900);
    expect(log).toEqual([`error failed: a: ${failure?.message ?? ''}`]);
    one.fileSeen('first');
    await time.quiet();
    expect(failureOf(one)?.attempts).toBe(1);
    one.fileSeen('second');
    await hasFailed(one, 2);
    one.fileSeen('second');
    await time.quiet();
    expect(failureOf(one)?.attempts).toBe(2);
    time.jump();
    await hasFailed(one, 3);
    expect(failureOf(one)?.since).toBe(0);
    expect([one.stack().status, one.find('/'), one.findPost('/approve'), one.reporting()]).toEqual(
      Array(4).fill(undefined),
    );
  });

  test('where a stack file above it is all that there is', async () => {
    const { one, dir } = await member({ 'sluice.yaml': 'version: 1\nstack: {name: x, id: 0000000a}\n', 'a/x': '' });
    await hasFailed(one);
    expect(failureOf(one)?.message).toBe(`${join(dir, 'a')} has no sluice.yaml`);
  });

  test('where another stack has its id', async () => {
    const claimed: string[][] = [];
    const claim = (path: string, id: string): string => {
      claimed.push([path, id]);
      return 'b';
    };
    const { one } = await member(stackFiles('a', 'a', '0000000a', embedded), { claim });
    await hasFailed(one);
    expect(failureOf(one)).toMatchObject({
      ...{ code: 'DUPLICATE_STACK_ID', message: 'the id 0000000a is already used by the stack in b' },
      hint: 'if one directory is a copy of the other, run `sluice init --new-id` in the copy',
    });
    expect(claimed).toEqual([['a', '0000000a']]);
  });

  test('where its state is in a file, and several replicas divide the stacks', async () => {
    const { one, left, time } = await member(stackFiles('a', 'a', '0000000a', embedded), {
      fleet: { limiters: undefined as never, lists: undefined as never, isDivided: true },
    });
    expect([one.divided.claim(), one.stack()]).toEqual(['none', { path: 'a', elsewhere: {} }]);
    one.divided.setElsewhere({ replica: 'two' });
    expect(one.stack().elsewhere).toEqual({ replica: 'two' });
    one.divided.attempt();
    await hasFailed(one);
    expect(one.divided.claim()).toBe('awaits');
    expect(one.stack()).not.toHaveProperty('elsewhere');
    expect(failureOf(one)?.message).toBe('the state of a is in a file, which other replicas cannot read');
    expect(one.divided.trouble()).toEqual({ reason: 'not-planned', forMs: 0 });
    time.leap(7_000);
    expect(one.divided.trouble()?.forMs).toBe(7_000);
    one.divided.release('now');
    await until(() => left.length > 0);
    expect([left, one.divided.claim(), failureOf(one)]).toEqual([['a'], 'none', undefined]);
    expect(one.stack().elsewhere).toEqual({ replica: 'two' });
  });
});

describe('a stack of a fleet that is watched', () => {
  test('has a status, a page and metrics, until it is stopped', async () => {
    const { one, log } = await member(stackFiles('a', 'a', '0000000a', embedded), { isStill: false });
    await until(() => one.stack().status?.role === 'leader');
    expect(one.divided.claim()).toBe('holds');
    await until(() => log.some((line) => line.includes('ReservedAddr/a: done')));
    expect(failureOf(one)).toBeUndefined();
    expect(one.reporting()?.metrics).toBeDefined();
    expect((await one.find('/status.json')?.(''))?.status).toBe(200);
    expect([one.find('/none'), one.findPost('/approve')]).toEqual([undefined, undefined]);
    expect(one.divided.intervalMs()).toBe(1_000);
    await one.stop();
    expect([one.stack(), one.find('/'), one.reporting()]).toEqual([{ path: 'a' }, undefined, undefined]);
  });

  test('is watched once its stack file is repaired', async () => {
    const files = stackFiles('a', 'a', '0000000a', embedded);
    const { one, dir } = await member({ ...files, 'a/sluice.yaml': 'version: [' }, { isStill: false });
    await hasFailed(one);
    expect(one.divided.intervalMs()).toBe(300_000);
    writeFileSync(join(dir, 'a/sluice.yaml'), files['a/sluice.yaml'] ?? '');
    one.fileSeen('second');
    await until(() => one.stack().status?.role === 'leader');
    expect(failureOf(one)).toBeUndefined();
  });
});
