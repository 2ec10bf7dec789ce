import { expect, test } from 'vitest';
import { createEmulator } from '../../../src/emulator/emulator.ts';
import { quota } from '../../../src/emulator/faults/request-limits.ts';
import { accountLimiters, type AccountLimiters } from '../../../src/stack/service/account-limiters.ts';
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts';

const account = { baseUrl: 'https://api.example.com', key: 'k3y' };
const ignore = (): void => undefined;

/** The answers when five stacks of one account each send 40 requests to a service that allows 60 in 60 seconds, one stack after the other. */
async function statuses(
  clock: VirtualClock,
  limitersOf: (stack: string) => AccountLimiters,
  apartMs = 0,
): Promise<readonly number[]> {
  const emulator = createEmulator({ seed: 1, logKept: 0 });
  emulator.intercept(quota({ requests: 60, seconds: 60 }, () => new Date(clock.now())));
  const answered: number[] = [];
  const stack = async (name: string, at: number): Promise<void> => {
    await clock.sleep(at * apartMs);
    const limiter = limitersOf(name).of({ ...account, stack: name, rateLimit: '60/60s' }, ignore);
    for (let left = 40; left > 0; left--) {
      const done = await limiter.admit();
      const headers = { authorization: 'Bearer k3y', 'example-version': '2' };
      const { status } = await emulator.handle({ method: 'GET', path: '/reserved_addrs', headers });
      await clock.sleep(20);
      done(status);
      answered.push(status);
    }
  };
  await clock.run(Promise.all(['a', 'b', 'c', 'd', 'e'].map(stack)));
  return answered;
}

test('the stacks of one account keep its request rate together', async () => {
  const clock = virtualClock();
  const limiters = accountLimiters(clock);
  const answered = await statuses(clock, () => limiters);
  expect([answered.length, answered.filter((status) => status === 429)]).toEqual([200, []]);
});

test('the stacks that begin while others already send keep the share of their replica together', async () => {
  const clock = virtualClock();
  const limiters = accountLimiters(clock, () => 1);
  const answered = await statuses(clock, () => limiters, 2_000);
  expect([answered.length, answered.filter((status) => status === 429)]).toEqual([200, []]);
});

test('what a replica still has to send after it has given stacks back is sent at the share that remains', () => {
  let share = 1;
  const limiters = accountLimiters(virtualClock(), (stack) => (stack === 'a' ? share : NaN));
  const limiter = limiters.of({ ...account, stack: 'a', rateLimit: '240/60s' }, ignore);
  expect(limiter.gapMs()).toBe(250);
  share = 0.25;
  expect(limiter.gapMs()).toBe(1_000);
  share = 0;
  expect(limiter.gapMs()).toBe(60_000);
});

test('the share is that of the stacks that are still there', () => {
  const limiters = accountLimiters(virtualClock(), (stack) => (stack === 'a' ? 1 : 0.5));
  const of = (stack: string) => limiters.of({ ...account, stack, rateLimit: '240/60s' }, ignore);
  const limiter = of('a');
  expect(of('b')).toBe(limiter);
  limiters.forget('a');
  expect(limiter.gapMs()).toBe(500);
});

test('with a rate each, they exceed it', async () => {
  const clock = virtualClock();
  expect(await statuses(clock, () => accountLimiters(clock))).toContain(429);
});

test('another key, or another address, is another account', () => {
  const limiters = accountLimiters(virtualClock());
  const of = (given: Partial<typeof account>) =>
    limiters.of({ ...account, stack: 'a', rateLimit: undefined, ...given }, ignore);
  expect(of({})).toBe(of({}));
  expect(of({ baseUrl: 'https://API.example.com/' })).toBe(of({}));
  expect(of({ key: 'other' })).not.toBe(of({}));
  expect(of({ baseUrl: 'https://eu.example.com' })).not.toBe(of({}));
});

test('of several limits for one account the strictest is kept, until its stack is gone', () => {
  const limiters = accountLimiters(virtualClock());
  const of = (stack: string, rateLimit?: string) => limiters.of({ ...account, stack, rateLimit }, ignore);
  const wide = of('a', '120/60s');
  const narrow = of('b', '10/60s');
  expect(narrow).not.toBe(wide);
  expect([of('a', '120/60s'), of('c')]).toEqual([narrow, narrow]);
  limiters.forget('b');
  expect(of('a', '120/60s')).not.toBe(narrow);
});

test('a pace that was learned while another replica used more of the account is forgotten when this one takes its stacks', async () => {
  const clock = virtualClock();
  let share = 0.2;
  const limiter = accountLimiters(clock, () => share).of({ ...account, stack: 'a', rateLimit: undefined }, ignore);
  const send = async (status: number): Promise<void> => (await limiter.admit())(status, 20_000);
  const refuse = async (): Promise<void> => {
    for (let left = 8; left > 0; left--) await send(429);
    await send(200);
  };
  await clock.run(refuse());
  const learned = limiter.gapMs() ?? 0;
  expect(learned).toBeGreaterThan(0);
  share = 0.1;
  expect(limiter.gapMs()).toBe(learned);
  share = 0.4;
  expect(limiter.gapMs()).toBeUndefined();
});
