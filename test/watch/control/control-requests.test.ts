import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { controlRequests } from '../../../src/watch/control/control-requests.ts';
import { allWell } from '../statuses.ts';

const goesOn = new AbortController().signal;

/** Whether a promise has settled by now. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

test('whoever waits for a wake is woken by the next one, not by an earlier one or by a request to reconcile', async () => {
  const requests = controlRequests();
  requests.wake();
  const [one, two] = [requests.woken(goesOn), requests.woken(goesOn)];
  void requests.reconcile();
  expect(await hasSettled(one)).toBe(false);
  requests.wake();
  expect([await hasSettled(one), await hasSettled(two)]).toEqual([true, true]);
  expect(await hasSettled(requests.woken(goesOn))).toBe(false);
});

test('who waits is let go by its signal, which is not listened to afterwards', async () => {
  const requests = controlRequests();
  const over = new AbortController();
  const waits = requests.asked(over.signal);
  expect(await hasSettled(waits)).toBe(false);
  over.abort();
  expect(await hasSettled(waits)).toBe(true);
  expect(await hasSettled(requests.woken(over.signal))).toBe(true);
  const later = new AbortController();
  void requests.woken(later.signal);
  requests.wake();
  expect([getEventListeners(over.signal, 'abort'), getEventListeners(later.signal, 'abort')]).toEqual([[], []]);
});

test('a request to reconcile stays until it is taken, and is answered once', async () => {
  const requests = controlRequests();
  const asked = requests.asked(goesOn);
  const answers: WatchStatus[] = [];
  void requests.reconcile().then((status) => answers.push(status));
  expect([await hasSettled(asked), await hasSettled(requests.asked(goesOn))]).toEqual([true, true]);
  const taken = requests.take();
  expect([taken.length, requests.take().length, await hasSettled(requests.asked(goesOn))]).toEqual([1, 0, false]);
  for (const answer of taken) answer(allWell);
  await hasSettled(Promise.resolve());
  expect(answers).toEqual([allWell]);
});
