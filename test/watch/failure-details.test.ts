import { expect, test } from 'vitest';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import { messageOf } from '../../src/watch/decide/outcome-message.ts';
import { failureDetails } from '../../src/watch/failures.ts';

test('a failure has the hint of a watch, and what is no error of sluice is an internal one', () => {
  const error = new SluiceError('NOT_FOUND', 'it is gone', { hint: 'run it again', hintInWatch: 'wait' });
  expect(failureDetails(error)).toEqual({ code: 'NOT_FOUND', message: 'it is gone', hint: 'wait' });
  expect(failureDetails(new SluiceError('NOT_FOUND', 'it is gone'))).toEqual({
    code: 'NOT_FOUND',
    message: 'it is gone',
  });
  expect(failureDetails(new TypeError('x is undefined'))).toEqual({
    code: 'INTERNAL_ERROR',
    message: 'x is undefined',
  });
  expect(failureDetails('thrown')).toEqual({ code: 'INTERNAL_ERROR', message: 'unknown error' });
});

test.each([
  [{ ending: 'not-started' }, 'not started'],
  [{ ending: 'unknown' }, 'unknown'],
  [{ ending: 'failed', message: 'refused' }, 'refused'],
  [{ ending: 'skipped', failedDependency: 'HTTPSEdge/a' }, 'depends on HTTPSEdge/a, which did not complete'],
  [
    { ending: 'skipped', failedDependency: 'HTTPSEdge/a', partiallyApplied: true },
    'started, but depends on HTTPSEdge/a, which did not complete',
  ],
])('what became of a change is reported in words: %j', (outcome, reported) => {
  expect(messageOf({ address: 'HTTPSEdge/b', action: 'update', ...outcome } as never)).toBe(reported);
});
