import { describe, expect, test } from 'vitest';
import { createTenure, type Tenure } from '../../../src/watch/replicas/tenure.ts';

const goesOn = new AbortController().signal;

/** A tenure that has begun, with the signal that ends it. */
async function begun(): Promise<{ tenure: Tenure; signal: AbortSignal }> {
  const tenure = createTenure();
  tenure.attempt();
  const signal = await tenure.begun(goesOn);
  if (signal === undefined) throw new Error('it has not begun');
  return { tenure, signal };
}

/** Whether a promise has settled by now. */
async function hasSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => (settled = true));
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('a tenure', () => {
  test('begins with the attempt, and not before', async () => {
    const tenure = createTenure();
    const waits = tenure.begun(goesOn);
    expect([await hasSettled(waits), tenure.isBegun()]).toEqual([false, false]);
    tenure.attempt();
    expect([(await waits)?.aborted, tenure.isBegun(), tenure.isLeaving()]).toEqual([false, true, false]);
  });

  test('is the same one after a second attempt', async () => {
    const { tenure, signal } = await begun();
    tenure.attempt();
    expect(await tenure.begun(goesOn)).toBe(signal);
  });

  test('does not begin once the watch stops, neither now nor with an attempt', async () => {
    const [tenure, stop] = [createTenure(), new AbortController()];
    const waits = tenure.begun(stop.signal);
    stop.abort();
    expect(await waits).toBeUndefined();
    tenure.attempt();
    expect(await tenure.begun(stop.signal)).toBeUndefined();
  });

  test('that has not begun has nothing to give back', () => {
    const tenure = createTenure();
    tenure.release('now');
    expect(tenure.isLeaving()).toBe(false);
  });

  test.each(['now', 'after-turn'] as const)('that is given back %s between two turns ends at once', async (when) => {
    const { tenure, signal } = await begun();
    const endTurn = await tenure.turns(() => Promise.resolve(() => undefined))(goesOn);
    endTurn();
    expect(signal.aborted).toBe(false);
    tenure.release(when);
    expect([signal.aborted, tenure.isLeaving()]).toEqual([true, true]);
  });

  test('that is given back before its first turn ends at once', async () => {
    const { tenure, signal } = await begun();
    tenure.release('after-turn');
    expect(signal.aborted).toBe(true);
  });

  test('that is given back after the turn ends with the turn, and the turn is given back first', async () => {
    const { tenure, signal } = await begun();
    const abortedAtEnd: boolean[] = [];
    const endTurn = await tenure.turns(() => Promise.resolve(() => void abortedAtEnd.push(signal.aborted)))(goesOn);
    tenure.release('after-turn');
    expect([signal.aborted, tenure.isLeaving()]).toEqual([false, true]);
    endTurn();
    expect([abortedAtEnd, signal.aborted]).toEqual([[false], true]);
  });

  test('that is given back now ends in the middle of a turn', async () => {
    const { tenure, signal } = await begun();
    await tenure.turns(() => Promise.resolve(() => undefined))(goesOn);
    tenure.release('now');
    expect(signal.aborted).toBe(true);
  });

  test('that has ended is followed by another one', async () => {
    const { tenure, signal } = await begun();
    tenure.release('now');
    tenure.ended();
    expect([tenure.isBegun(), tenure.isLeaving()]).toEqual([false, false]);
    tenure.attempt();
    const next = await tenure.begun(goesOn);
    expect([signal.aborted, next?.aborted]).toEqual([true, false]);
  });
});
