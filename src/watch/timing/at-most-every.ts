import { hasSlept, type Clock } from '../../api/clock.ts';

/** Does some work when it is requested: at once, or, if it was done just before, at the end of the interval. */
export function atMostEvery(
  intervalMs: number,
  clock: Clock,
  work: () => void,
): { readonly request: () => void; readonly stop: () => void } {
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
