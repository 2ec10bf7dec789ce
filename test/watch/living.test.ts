import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { notBuilt } from '../support/processes.ts';
import { readState } from '../../src/state/file/read-state.ts';
import { address, addresses } from './company-files.ts';
import { eventually, shared, type Held, type Replica, type Shared } from './replicas.ts';

describe.skipIf(notBuilt !== '')(`processes that watch one stack${notBuilt}`, () => {
  test('one leads, the other stands by; when the leader is killed the other takes over, with its own eyes', async () => {
    const stack = await shared(addresses('mqtt', 'ssh'));
    const first = stack.watch('first');
    await first.says('ReservedAddr/ssh: done');
    const second = stack.watch('second');
    await second.says('standby:');
    stack.write(address('mqtt', 'Sensors') + addresses('ssh'));
    await eventually(() => stack.described().includes('Sensors'), first.log);
    expect(second.requests()).toEqual([]);
    first.child.kill('SIGKILL');
    await first.ended;
    await second.says('this process is the leader');
    await byHand(stack, 'ssh', 'by hand');
    await eventually(() => !stack.described().includes('by hand'), second.log);
    expect(stack.described()).toEqual(['Sensors', 'ssh']);
    expect(second.requests().filter((request) => !request.startsWith('GET'))).toHaveLength(1);
  });

  test('killed in the middle of an apply: what it had begun is found by the other, and nothing is there twice', async () => {
    const { stack, first, held } = await caughtInTheAct();
    const second = stack.watch('second');
    await second.says('standby:');
    first.child.kill('SIGKILL');
    held.release();
    await second.says('ReservedAddr/e: done');
    expect(stack.described()).toEqual(many);
    expect(writesOf(second)).toHaveLength(2);
  });

  test('a leader that was stopped for long and wakes sends nothing more, and leaves the state to the new one', async () => {
    const { stack, first, held } = await caughtInTheAct();
    const second = stack.watch('second');
    await second.says('standby:');
    first.child.kill('SIGSTOP');
    const sent = first.requests().length;
    stack.silence();
    await second.says('this process is the leader');
    stack.write(addresses(...many.map((name) => `${name}2`)));
    held.release();
    await eventually(() => stack.described().join() === many.map((name) => `${name}2`).join(), second.log);
    await eventually(async () => (await entries(stack)).length === many.length, second.log);
    const state = await entries(stack);
    first.child.kill('SIGCONT');
    await first.says('lock-lost');
    await first.says('standby: ');
    expect(first.requests().length - sent).toBeLessThanOrEqual(1);
    expect(await entries(stack)).toEqual(state);
    expect(stack.described()).toEqual(many.map((name) => `${name}2`));
    second.child.kill('SIGTERM');
    const before = first.log().length;
    await first.says('this process is the leader', before - 1);
    await byHand(stack, 'a2', 'by hand');
    await eventually(() => !stack.described().includes('by hand'), first.log);
  });

  test('a leader whose lock is taken in the middle of an apply finishes the request that runs, and begins nothing', async () => {
    const { stack, first, held } = await caughtInTheAct();
    // Or else it renews its lock before the other, which may start slowly, has looked at it.
    first.child.kill('SIGSTOP');
    stack.silence();
    const second = stack.watch('second');
    await second.says('this process is the leader');
    const sent = first.requests().length;
    first.child.kill('SIGCONT');
    held.release();
    await first.says('lock-lost');
    await second.says('ReservedAddr/e: done');
    await eventually(() => stack.described().join() === many.join(), second.log);
    expect(first.requests().length - sent).toBeLessThanOrEqual(1);
    expect(await entries(stack)).toHaveLength(many.length);
  });

  test('SIGTERM in the middle of an apply: the request that runs is finished and kept, nothing begins, it ends with 130', async () => {
    const { stack, first, held } = await caughtInTheAct();
    first.child.kill('SIGTERM');
    await first.says('"event":"stopping"');
    expect(first.child.exitCode).toBeNull();
    held.release();
    expect(await first.ended).toMatchObject({ code: 130 });
    expect(stack.described()).toEqual(many.slice(0, 3));
    expect(await entries(stack)).toHaveLength(3);
    expect(() => readFileSync(stack.lock)).toThrow(/ENOENT/);
    expect(first.log()).toContain('"event":"ended"');
    const again = stack.watch('again');
    await again.says('ReservedAddr/e: done');
    expect(writesOf(again)).toHaveLength(2);
  });

  test.each([
    ['the service says to come back in an hour', { status: 429, headers: { 'retry-after': '3600' }, body: '{}' }],
    ['the service never answers a look', undefined],
  ])('SIGTERM while %s ends it at once', async (_, answer) => {
    const stack = await shared(addresses(...many));
    let asked = 0;
    stack.emulator.intercept(({ method }, next) => {
      if (method === 'GET' && answer !== undefined) return next();
      asked += 1;
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
    });
    const first = stack.watch('first');
    await eventually(() => asked > 0, first.log);
    first.child.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 130 });
    expect(stack.described()).toEqual([]);
  });
});

const many = ['a', 'b', 'c', 'd', 'e'];

/** A leader whose third creation the service has not answered yet. */
async function caughtInTheAct(): Promise<{ readonly stack: Shared; readonly first: Replica; readonly held: Held }> {
  const stack = await shared(addresses(...many));
  const held = stack.holdUp('first', 2);
  const first = stack.watch('first');
  await eventually(() => held.caught() === 1, first.log);
  return { stack, first, held };
}

function writesOf(replica: Replica): readonly string[] {
  return replica.requests().filter((request) => !request.startsWith('GET'));
}

/** The addresses that the state knows of, with their ids. */
async function entries({ kept }: Shared): Promise<readonly string[]> {
  const { state } = await readState(join(kept, 'state.json'), '5c1e7a90');
  return Object.entries(state?.entries ?? {}).map(([address, { id }]) => `${address} ${id}`);
}

/** Somebody else describes an address anew. */
async function byHand({ emulator }: Shared, name: string, description: string): Promise<void> {
  const found = emulator.snapshot().resources.find(({ spec }) => spec['description'] === name);
  const answer = await emulator.handle({
    method: 'PATCH',
    path: `/reserved_addrs/${found?.id ?? ''}`,
    headers: { authorization: 'Bearer somebody', 'example-version': '2', 'content-type': 'application/json' },
    body: JSON.stringify({ description }),
  });
  expect(answer.status).toBe(200);
}
