import { expect, test } from 'vitest';
import { linkedAbort } from '../../src/api/linked-abort.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

test('a linked signal aborts with a timeout, and for its reason, also while memory is collected', async () => {
  const { signal, release } = linkedAbort(new AbortController().signal, AbortSignal.timeout(100));
  const collecting = setInterval(collectGarbage, 10);
  await new Promise((aborted) => signal.addEventListener('abort', aborted));
  clearInterval(collecting);
  release();
  expect((signal.reason as Error).name).toBe('TimeoutError');
});

test('a linked signal that was released does not abort with others, and one that is aborted by hand has no reason of theirs', () => {
  const other = new AbortController();
  const [released, own] = [linkedAbort(other.signal), linkedAbort(other.signal)];
  released.release();
  own.abort();
  other.abort(new Error('stopped'));
  expect([released.signal.aborted, own.signal.aborted]).toEqual([false, true]);
  expect((own.signal.reason as Error).name).toBe('AbortError');
  expect((linkedAbort(other.signal).signal.reason as Error).message).toBe('stopped');
});
