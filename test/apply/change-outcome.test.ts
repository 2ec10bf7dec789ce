import { expect, test } from 'vitest';
import { changeOutcomeOf } from '../../src/apply/change-outcome.ts';
import type { StepResult } from '../../src/apply/schedule.ts';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import type { Change } from '../../src/model/plan/plan.ts';

const change = { address: 'HTTPSEdge/shop', action: 'update' } as Change;
const outcome = (results: readonly StepResult[], isRepeated = false) => {
  const { address, action, ...rest } = changeOutcomeOf(change, results, undefined, isRepeated);
  expect([address, action]).toEqual(['HTTPSEdge/shop', 'update']);
  return rest;
};

test('a change whose steps are all done is done, and has no message', () => {
  expect(outcome([{ ending: 'done' }, { ending: 'done' }])).toStrictEqual({ ending: 'done' });
});

test('a change that was not started reports nothing more', () => {
  expect(outcome([{ ending: 'not-started' }])).toStrictEqual({ ending: 'not-started' });
});

test('a change that was started when the run ended has failed, and is applied in part', () => {
  expect(outcome([{ ending: 'done' }, { ending: 'not-started' }])).toStrictEqual({
    ending: 'failed',
    partiallyApplied: true,
    message: 'the change was started, but the run ended before the change was complete',
  });
});

test('a change whose second step was skipped names the change that it waited for, whether it was started or not', () => {
  const skipped = { ending: 'skipped', failedDependency: 'IPPolicy/office' } as const;
  expect(outcome([skipped])).toStrictEqual({ ending: 'skipped', failedDependency: 'IPPolicy/office' });
  expect(outcome([{ ending: 'done' }, skipped])).toStrictEqual({
    ending: 'failed',
    partiallyApplied: true,
    failedDependency: 'IPPolicy/office',
  });
});

test('a change that was not started says why, and not that its second step waited for itself', () => {
  const error = new SluiceError('JOURNAL_NOT_WRITTEN', 'the request was not sent');
  const waiting = { ending: 'skipped', failedDependency: 'HTTPSEdge/shop' } as const;
  expect(outcome([{ ending: 'not-started', error }, waiting])).toStrictEqual({
    ending: 'not-started',
    message: 'the request was not sent',
    code: 'JOURNAL_NOT_WRITTEN',
  });
});

test('the ending of a change is the worst of those of its steps: unknown before failed before not started', () => {
  const error = new Error('no response');
  const results = [{ ending: 'not-started' }, { ending: 'failed', error }, { ending: 'unknown', error }] as const;
  expect(outcome(results).ending).toBe('unknown');
  expect(outcome(results.slice(0, 2)).ending).toBe('failed');
});

test('a change whose second step may or may not have been carried out stays unknown', () => {
  const error = new Error('no response');
  expect(outcome([{ ending: 'done' }, { ending: 'unknown', error }])).toStrictEqual({
    ending: 'unknown',
    message: 'no response (run `sluice plan` to see whether the change was made)',
  });
});

test('the message ends with the hint of the error, in a watch with what a person still has to do', () => {
  const error = new SluiceError('NOT_FOUND', 'it is gone', { hint: 'run `sluice plan` again', hintInWatch: 'wait' });
  const results = [{ ending: 'failed', error }] as const;
  expect(outcome(results)).toStrictEqual({
    ending: 'failed',
    message: 'it is gone (run `sluice plan` again)',
    code: 'NOT_FOUND',
  });
  expect(outcome(results, true).message).toBe('it is gone (wait)');
  const unknown = [{ ending: 'unknown', error: new Error('no response') }] as const;
  expect(outcome(unknown, true).message).toBe(
    'no response (sluice reads the account again to see whether the change was made)',
  );
});

test('a step that failed after its request was carried out is applied in part', () => {
  expect(outcome([{ ending: 'failed', error: new Error('not cleared'), isWritten: true }])).toStrictEqual({
    ending: 'failed',
    partiallyApplied: true,
    message: 'not cleared',
  });
});
