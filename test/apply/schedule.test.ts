import { describe, expect, test } from 'vitest';
import { runSteps, type StepResult } from '../../src/apply/schedule.ts';
import type { Step } from '../../src/model/plan/plan.ts';

// Steps as `name <- what it waits for`; the name is the address too.
function stepsOf(...lines: readonly string[]): Step[] {
  return lines.map((line): Step => {
    const [id = '', waits = ''] = line.split(' <- ');
    const after = waits === '' ? [] : waits.split(', ').map((step) => ({ step, reason: 'needs it' }));
    return { id, address: id, role: 'update', request: { method: 'PATCH', path: [id] }, dependsOn: after };
  });
}

// Runs steps by hand: each goes on until the test ends it. Answers what was started, in order, and how all ended.
function byHand(steps: readonly Step[], parallelism: number, mayStart: () => boolean = () => true) {
  const started: string[] = [];
  const open = new Map<string, (result: StepResult) => void>();
  const ended = runSteps(steps, {
    parallelism,
    mayStart,
    perform: ({ id }) => {
      started.push(id);
      return new Promise((resolve) => open.set(id, resolve));
    },
  });
  return {
    started,
    ended,
    end: async (id: string, ending: StepResult['ending'] = 'done') => {
      open.get(id)?.({ ending });
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('steps', () => {
  test('start together as far as parallelism lets them, in the order listed', async () => {
    const run = byHand(stepsOf('a', 'b', 'c', 'd'), 2);
    expect(run.started).toEqual(['a', 'b']);
    await run.end('b');
    expect(run.started).toEqual(['a', 'b', 'c']);
    await run.end('c');
    await run.end('a');
    await run.end('d');
    expect([...(await run.ended).values()].every(({ ending }) => ending === 'done')).toBe(true);
  });

  test('start as soon as all they wait for is done, and no sooner', async () => {
    const run = byHand(stepsOf('a', 'b', 'c <- a, b', 'd <- a'), 9);
    await run.end('a');
    expect(run.started).toEqual(['a', 'b', 'd']);
    await run.end('b');
    expect(run.started).toEqual(['a', 'b', 'd', 'c']);
  });

  test('are taken in the order listed, whichever became ready first', async () => {
    const run = byHand(stepsOf('a', 'b', 'c <- b', 'd <- a'), 2);
    await run.end('a');
    expect(run.started).toEqual(['a', 'b', 'd']);
    const other = byHand(stepsOf('a', 'b <- a', 'c <- a', 'd'), 1);
    await other.end('a');
    expect(other.started).toEqual(['a', 'b']);
  });

  test('that fail hold up only what waits for them, and that names the first failure', async () => {
    const run = byHand(stepsOf('a', 'b <- a', 'c <- b', 'd'), 1);
    await run.end('a', 'failed');
    await run.end('d');
    expect([...(await run.ended)].sort()).toEqual([
      ['a', { ending: 'failed' }],
      ['b', { ending: 'skipped', failedDependency: 'a' }],
      ['c', { ending: 'skipped', failedDependency: 'a' }],
      ['d', { ending: 'done' }],
    ]);
  });

  test('that end unknown hold up what waits for them too', async () => {
    const run = byHand(stepsOf('a', 'b <- a'), 1);
    await run.end('a', 'unknown');
    expect((await run.ended).get('b')).toEqual({ ending: 'skipped', failedDependency: 'a' });
  });

  test('are not started any more once that is over; what runs is waited for', async () => {
    let goesOn = true;
    const run = byHand(stepsOf('a', 'b', 'c <- a'), 1, () => goesOn);
    goesOn = false;
    await run.end('a');
    expect([...(await run.ended).keys()]).toEqual(['a']);
    expect(run.started).toEqual(['a']);
  });

  test('end where one breaks that was not to, though another ends well at the same moment', async () => {
    const perform = ({ id }: Step): Promise<StepResult> =>
      id === 'a' ? Promise.reject(new Error('broken')) : Promise.resolve({ ending: 'done' });
    const running = runSteps(stepsOf('a', 'b'), { parallelism: 2, mayStart: () => true, perform });
    const soon = new Promise((resolve) => setImmediate(() => resolve('still running')));
    await expect(Promise.race([running, soon])).rejects.toThrow('broken');
  });
});

test('nothing to do is done at once', async () => {
  expect(
    (await runSteps([], { parallelism: 1, mayStart: () => true, perform: () => Promise.reject(new Error('no')) })).size,
  ).toBe(0);
});

test('a chain of many steps that fails is reported to its end', async () => {
  const count = 20_000;
  const steps = stepsOf(
    ...Array.from({ length: count }, (_, n) => (n === 0 ? '0' : `${String(n)} <- ${String(n - 1)}`)),
  );
  const ended = await runSteps(steps, {
    parallelism: 1,
    mayStart: () => true,
    perform: () => Promise.resolve({ ending: 'failed' }),
  });
  expect(ended.size).toBe(count);
});
