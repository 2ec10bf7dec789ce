import { SluiceError } from '../../diagnostics/errors.ts';
import { applySummary } from '../outcome/apply-summary.ts';
import { planSummary } from '../plan/plan-summary.ts';
import { stackStatuses, stackStatus, type StackResult, type StackStatus } from './stacks-result.ts';

// As in `2 failed, 1 skipped, 3 with changes`.
const words: Readonly<Record<StackStatus, string>> = {
  failed: 'failed',
  skipped: 'skipped',
  'not-started': 'not started',
  applied: 'applied',
  pending: 'with changes',
  unchanged: 'unchanged',
};

/** What became of one of several stacks, in one line that is not yet safe to print. */
export function stackSummary(result: StackResult): string {
  const status = stackStatus(result);
  const { exitCode, planned, applied, failure, failedDependency } = result;
  if (failedDependency !== undefined) return `skipped: depends on ${failedDependency}, which did not complete`;
  if (status === 'not-started') return result.isDeclined === true ? 'not approved' : 'not started';
  const text =
    failure === undefined
      ? applied === undefined
        ? planned === undefined
          ? ''
          : planSummary(planned.result.plan)
        : applySummary(applied)
      : failure.error instanceof SluiceError
        ? failure.error.message
        : 'internal error in sluice';
  return status === 'failed' ? `failed (exit ${String(exitCode)}): ${text}` : text;
}

/** How many stacks ended how: `3 stacks: 1 failed, 2 unchanged.` */
export function stacksTotal(results: readonly StackResult[]): string {
  const counts = stackStatuses.flatMap((status) => {
    const count = results.filter((result) => stackStatus(result) === status).length;
    return count === 0 ? [] : [`${String(count)} ${words[status]}`];
  });
  return `${String(results.length)} ${results.length === 1 ? 'stack' : 'stacks'}: ${counts.join(', ')}.`;
}
