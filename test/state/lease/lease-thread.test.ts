import { expect, test } from 'vitest';
import { startTask } from '../../../src/state/lease/lease-thread.ts';

/** The program of a thread that notes in shared memory which it is, what it receives, and when it is ended; it fails if asked to. */
const program = (name: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, threadId } from 'node:worker_threads';
      const tasks = new Map(); // ${name}
      parentPort.on('message', ({ id, start, notice, end }) => {
        if (notice === 'fail') throw new Error('as asked');
        if (start !== undefined) {
          tasks.set(id, start.seen);
          Atomics.store(start.seen, 0, threadId);
        }
        if (notice === 7) parentPort.postMessage({ id, report: 'seven' });
        if (notice !== undefined) Atomics.add(tasks.get(id), 1, notice);
        if (end) {
          Atomics.store(tasks.get(id), 2, 1);
          parentPort.postMessage({ id, ended: true });
          parentPort.postMessage({ id, report: 'after its end' });
        }
      });
    `)}`,
  );

const memory = (): Int32Array => new Int32Array(new SharedArrayBuffer(12));

test('one thread does what many locks need, each separately, and another begins after the last has ended', async () => {
  const url = program('together');
  const [a, b, c] = [memory(), memory(), memory()];
  const first = startTask<number>(url, { seen: a });
  const second = startTask<number>(url, { seen: b });
  first.notify(1);
  second.notify(5);
  first.notify(1);
  await first.end();
  second.notify(5);
  await second.end();
  expect([...a].slice(1)).toEqual([2, 1]);
  expect([...b].slice(1)).toEqual([10, 1]);
  expect(b[0]).toBe(a[0]);
  await startTask(url, { seen: c }).end();
  expect(c[2]).toBe(1);
  expect(c[0]).not.toBe(a[0]);
});

test('what is reported about one of them comes to that one, until it has ended', async () => {
  const url = program('reporting');
  const reports: unknown[] = [];
  const first = startTask<number>(url, { seen: memory() }, (report) => reports.push(['first', report]));
  const second = startTask<number>(url, { seen: memory() }, (report) => reports.push(['second', report]));
  second.notify(7);
  await second.end();
  await first.end();
  expect(reports).toEqual([['second', 'seven']]);
});

test('where the thread fails, all that it did ends, and another does what comes next', async () => {
  const url = program('failing');
  const [a, b, c] = [memory(), memory(), memory()];
  const first = startTask<string>(url, { seen: a });
  const second = startTask(url, { seen: b });
  first.notify('fail');
  await Promise.all([first.end(), second.end()]);
  expect([a[2], b[2]]).toEqual([0, 0]);
  await startTask(url, { seen: c }).end();
  expect(c[2]).toBe(1);
});
