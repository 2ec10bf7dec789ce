import { SluiceError } from '../../diagnostics/errors.ts';
import { applySummary } from '../outcome/outcome-text.ts';
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
  valid: 'valid',
};

/** What became of one of several stacks, in one line that is not yet safe to print. */
export function stackSummary(result: StackResult): string {
  const { exitCode, failedDependency = '', isDeclined } = result;
  const status = stackStatus(result);
  if (status === 'skipped') return `skipped: depends on ${failedDependency}, which did not complete`;
  if (status === 'not-started') return isDeclined === true ? 'not approved' : 'not started';
  return status === 'failed' ? `failed (exit ${String(exitCode)}): ${resultText(result)}` : resultText(result);
}

function resultText({ planned, applied, failure, isComplete }: StackResult): string {
  if (failure?.error instanceof SluiceError) return failure.error.message;
  if (failure !== undefined) return 'internal error in sluice';
  if (applied !== undefined) return applySummary(applied);
  if (planned !== undefined) return planSummary(planned.result.plan);
  return isComplete === true
    ? 'valid'
    : 'the manifests break a rule of `access` (in sluice.yaml or in the operator policy)';
}

/** How many stacks ended how: `3 stacks: 1 failed, 2 unchanged.` */
export function stacksTotal(results: readonly StackResult[]): string {
  const counts = stackStatuses.flatMap((status) => {
    const count = results.filter((result) => stackStatus(result) === status).length;
    return count === 0 ? [] : [`${String(count)} ${words[status]}`];
  });
  return `${String(results.length)} ${results.length === 1 ? 'stack' : 'stacks'}: ${counts.join(', ')}.`;
}
