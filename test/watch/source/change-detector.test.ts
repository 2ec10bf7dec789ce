import { expect, test } from 'vitest';
import { createChangeDetector, type ScanTrigger } from '../../../src/watch/source/change-detector.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const never = new AbortController().signal;

/** A detector with a scan every minute, whose file events are sent by hand. */
function detecting(clock = virtualClock()) {
  const log: string[] = [];
  const sent: { event?: () => void; closed?: true } = {};
  const detector = createChangeDetector({
    scanMs: 60_000,
    poll: false,
    clock,
    log: (level, text) => log.push(`${level}: ${text}`),
    events: (onEvent) => {
      sent.event = onEvent;
      return { listen: () => undefined, close: () => void (sent.closed = true) };
    },
  });
  /** What ended a wait, and after how many milliseconds. */
  const waited = async (): Promise<readonly [ScanTrigger, number]> => {
    const began = clock.now();
    const cause = await clock.run(detector.wait(never));
    return [cause, clock.now() - began];
  };
  const scan = (ms: number): Promise<void> => clock.run(detector.runScan(() => clock.sleep(ms)));
  return { detector, sent, log, waited, scan };
}

test('without an event, the next scan is due after the interval', async () => {
  expect(await detecting().waited()).toEqual(['interval', 60_000]);
});

test('after an event, more are gathered for a moment', async () => {
  const { sent, waited, scan } = detecting();
  await scan(1);
  sent.event?.();
  expect(await waited()).toEqual(['event', 100]);
});

test('scans that take long are made less often: they have a fifth of the time', async () => {
  const { sent, waited, scan } = detecting();
  await scan(2_000);
  sent.event?.();
  expect(await waited()).toEqual(['event', 8_000]);
  await scan(5);
  sent.event?.();
  expect(await waited()).toEqual(['event', 100]);
});

test('an event that came before a scan is covered by it, and one during it is not', async () => {
  const clock = virtualClock();
  const { detector, sent, waited, scan } = detecting(clock);
  sent.event?.();
  await scan(10);
  expect((await waited())[0]).toBe('interval');
  await clock.run(detector.runScan(() => Promise.resolve(sent.event?.())));
  expect((await waited())[0]).toBe('event');
});

test('changes that only the scan finds, twice in a row, are a warning, once; one that an event announced begins anew', () => {
  const { detector, log } = detecting();
  for (const cause of ['interval', 'event', 'interval'] as const) detector.changeFound(cause);
  expect(log).toEqual([]);
  for (const cause of ['interval', 'interval', 'interval'] as const) detector.changeFound(cause);
  expect(log).toEqual([
    expect.stringMatching(/^warn: the file system sends no file events.*every 60 s, as with --poll$/),
  ]);
});

test('an aborted wait rejects, and closing ends the events', async () => {
  const { detector, sent } = detecting();
  await expect(detector.wait(AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  detector.close();
  expect(sent.closed).toBe(true);
});
