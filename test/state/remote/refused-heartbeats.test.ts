/* A run whose heartbeats the store answers, and refuses, until its lock is over. */
import { expect, onTestFinished, test } from 'vitest';
import { StateError, StoreNotAllowed, StoreRefused } from '../../../src/diagnostics/errors.ts';
import { exitCodeOf } from '../../../src/cli/exit-code.ts';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import type { RemoteStore, SwapResult } from '../../../src/state/remote/remote-store.ts';
import { usualTiming as timing } from '../../support/usual-timing.ts';
import { backendOver, probed } from './backends.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

type Answer = () => Promise<SwapResult>;

/** What a run ends with whose heartbeats are answered so until its lock is over. */
async function ending(answer: Answer, last: Answer = answer, read?: RemoteStore['read']): Promise<unknown> {
  let passed = 0;
  const now: LeaseTime['now'] = () => ({ monotonic: passed, wall: 0 });
  const sleep: LeaseTime['sleep'] = async (ms) => {
    await machineTime.sleep(1);
    passed += ms;
  };
  const heartbeats: LeaseTime = { ...machineTime, now, sleep };
  let mayAnswer = true;
  const inner = await probed(memoryStore(sharedMemory()));
  const store: RemoteStore = {
    ...inner,
    read: (name) => (mayAnswer || read === undefined ? inner.read(name) : read(name)),
    swap: (...given) => {
      if (mayAnswer) return inner.swap(...given);
      return passed > timing.durationMs ? last() : answer();
    },
  };
  const backend = backendOver(store, { timing, time: heartbeats });
  const lock = await backend.acquireLock('sluice apply');
  onTestFinished(() => lock.release());
  mayAnswer = false;
  for (;;) {
    const error: unknown = await lock.untilMayWrite().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    if (error !== undefined) return error;
    await machineTime.sleep(1);
  }
}

const denied = new StoreNotAllowed('STORE_ACCESS_DENIED', 'the state store memory refuses access: HTTP 403', {
  hint: 'check the key',
});

test('ends with what the store refused them with', async () => {
  const error = await ending(() => Promise.reject(denied));
  expect(error).toBeInstanceOf(StoreNotAllowed);
  expect(error).toMatchObject({
    code: 'STORE_ACCESS_DENIED',
    hint: 'check the key',
    message: expect.stringMatching(
      /^the state lock could not be renewed for \d+ s: the state store memory refuses access: HTTP 403$/,
    ) as string,
  });
  expect(exitCodeOf(error)).toBe(7);
});

test('ends so, too, where one had no answer, and only the question what came of it is refused', async () => {
  const cause = new StateError('STORE_UNAVAILABLE', 'no answer');
  const error = await ending(
    () => Promise.resolve({ is: 'unknown', cause }),
    undefined,
    () => Promise.reject(denied),
  );
  expect(error).toMatchObject({ code: 'STORE_ACCESS_DENIED' });
});

test('ends with exit code 8 where its settings were refused', async () => {
  const error = await ending(() => Promise.reject(new StoreRefused('STORE_NOT_FOUND', 'no such bucket')));
  expect(error).toMatchObject({ code: 'STORE_NOT_FOUND', message: expect.stringMatching(/no such bucket$/) as string });
  expect(exitCodeOf(error)).toBe(8);
});

test('does not blame a refusal for an outage that came after it', async () => {
  const outage = new StateError('STORE_UNAVAILABLE', 'no answer');
  const unknown: Answer = () => Promise.resolve({ is: 'unknown', cause: outage });
  expect(await ending(() => Promise.reject(denied), unknown)).toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/^no heartbeat has reached the state store memory/) as string,
  });
});
