import { hasSlept, type Clock } from '../../api/clock.ts';

/** Work that is requested often and done seldom. */
export interface SeldomWork {
  /** Does it now, or, if it was done just before, at the end of the interval. */
  readonly request: () => void;
  /** From here on it is not done any more. */
  readonly stop: () => void;
}

/** Does some work at once when it is requested, but only once in an interval. */
export function atMostEvery(intervalMs: number, clock: Clock, work: () => void): SeldomWork {
  const over = new AbortController();
  let isResting = false;
  let isRequested = false;
  const request = (): void => {
    isRequested = true;
    if (isResting || over.signal.aborted) return;
    isRequested = false;
    isResting = true;
    work();
    void hasSlept(clock, intervalMs, over.signal).then(() => {
      isResting = false;
      if (isRequested) request();
    });
  };
  return { request, stop: () => over.abort() };
}
