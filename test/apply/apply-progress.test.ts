import { describe, expect, test } from 'vitest';
import { ApplyProgress } from '../../src/apply/apply-progress.ts';
import { SluiceError } from '../../src/diagnostics/errors.ts';
import type { ApplyEvent } from '../../src/model/outcome.ts';
import type { Change, Plan, Step } from '../../src/model/plan/plan.ts';

const change = (name: string, action: Change['action']) => ({ address: `ReservedAddr/${name}`, action }) as Change;
const [a, b] = [change('a', 'update'), change('b', 'update')] as const;
const [c, d] = [change('c', 'write-file'), change('d', 'none')] as const;
const step = ({ address }: Change, id: string) => ({ id, address }) as Step;

/** The progress of a plan with two requests for a, one for b, and a file for c; and what it tells. */
function progress(isRepeated?: boolean) {
  const reported: ApplyEvent[] = [];
  const steps = [step(a, '1'), step(a, '2'), step(b, '3')];
  const plan = { changes: [a, b, c, d], steps } as unknown as Plan;
  return { of: new ApplyProgress(plan, (event) => reported.push(event), isRepeated), reported };
}

const failure = new SluiceError('NOT_FOUND', 'no longer there', { hint: 'plan again', hintInWatch: 'wait' });

describe('a change', () => {
  test('takes requests where steps of it are left, and no file is a request', () => {
    const { of } = progress();
    expect([a, b, c, d].map(({ address }) => of.takesRequests(address))).toEqual([true, true, false, false]);
    expect([of.carriedOut(step(a, '1')), of.carriedOut(step(a, '2'))]).toEqual([false, true]);
    expect(of.takesRequests(a.address)).toBe(false);
  });

  test('is reported as started with each of its steps', () => {
    const { of, reported } = progress();
    of.started(step(a, '1'), a);
    expect(reported).toEqual([{ type: 'started', address: 'ReservedAddr/a', action: 'update', step: '1' }]);
  });

  test('is reported as done with the last of its steps, and counted among those with requests or files', () => {
    const { of, reported } = progress();
    of.carriedOut(step(a, '1'));
    expect(of.stepDone(a, 'ra_a')).toEqual({ ending: 'done' });
    expect(reported).toEqual([]);
    of.carriedOut(step(a, '2'));
    of.stepDone(a, 'ra_a');
    of.stepDone(c, undefined);
    expect(reported).toStrictEqual([
      {
        type: 'finished',
        outcome: { address: a.address, action: 'update', ending: 'done', id: 'ra_a' },
        done: 1,
        total: 3,
      },
      { type: 'finished', outcome: { address: c.address, action: 'write-file', ending: 'done' }, done: 2, total: 3 },
    ]);
  });

  test('is reported as failed once, and as done no more', () => {
    const { of, reported } = progress();
    const result = { ending: 'failed', error: failure } as const;
    expect(of.stepFailed(a, 'ra_a', result)).toBe(result);
    of.stepFailed(a, 'ra_a', result);
    of.carriedOut(step(a, '1'));
    of.carriedOut(step(a, '2'));
    of.stepDone(a, 'ra_a');
    expect(reported).toMatchObject([
      { outcome: { ending: 'failed', message: 'no longer there (plan again)' }, done: 1 },
    ]);
    expect(reported[0]).not.toHaveProperty('outcome.partiallyApplied');
  });

  test('is applied in part where a step of it was done before another failed', () => {
    const { of, reported } = progress();
    of.carriedOut(step(a, '1'));
    of.stepDone(a, 'ra_a');
    of.stepFailed(a, 'ra_a', { ending: 'failed', error: failure });
    of.stepFailed(b, 'ra_b', { ending: 'failed', error: failure });
    expect(reported).toMatchObject([
      { outcome: { address: a.address, partiallyApplied: true } },
      { outcome: { address: b.address } },
    ]);
    expect(reported[1]).not.toHaveProperty('outcome.partiallyApplied');
  });

  test('is reported in a watch with what a person has to do there', () => {
    const { of, reported } = progress(true);
    of.stepFailed(a, undefined, { ending: 'failed', error: failure });
    expect(reported).toMatchObject([{ outcome: { message: 'no longer there (wait)' } }]);
  });
});
