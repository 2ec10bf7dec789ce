// The steps of an event loop: how much CPU its thread uses between two turns, apart from garbage collection.
import { openSync, readSync } from 'node:fs';
import { PerformanceObserver } from 'node:perf_hooks';

/** Watches the steps of this thread from now on. Elsewhere than on Linux, the time on the clock is taken for the CPU. */
export function watchSteps() {
  const usedMs = usedByThread();
  const [steps, collections] = [[], []];
  let [used, at] = [usedMs(), performance.now()];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const turn = setInterval(() => {
    const [cpu, now] = [usedMs(), performance.now()];
    // Only a long one can be the longest.
    if (cpu - used > 5) steps.push({ begun: at, ended: now, cpu: cpu - used });
    [used, at] = [cpu, now];
  }, 1);
  turn.unref();

  // A step that had to wait for the processor collected garbage for as large a part of its CPU as of its time.
  function withoutCollections({ begun, ended, cpu }) {
    const collected = collections
      .map(({ startTime, duration }) => Math.min(ended, startTime + duration) - Math.max(begun, startTime))
      .reduce((sum, overlap) => sum + Math.max(0, overlap), 0);
    return cpu * (1 - Math.min(1, collected / (ended - begun)));
  }

  return {
    /** Watches no longer. The longest, in milliseconds. */
    end: () => {
      clearInterval(turn);
      observer.disconnect();
      return Math.max(0, ...steps.map(withoutCollections));
    },
  };
}

function usedByThread() {
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`);
    const bytes = Buffer.alloc(64);
    return () => {
      const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0));
      return Number(text.slice(0, text.indexOf(' '))) / 1e6;
    };
  } catch {
    return () => performance.now();
  }
}
