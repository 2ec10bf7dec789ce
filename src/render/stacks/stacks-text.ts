import { countEach, counted } from '../../diagnostics/counted.ts';
import { SluiceError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { present } from '../../model/present.ts';
import { applySummary } from '../outcome/outcome-text.ts';
import { planSummary } from '../plan/plan-summary.ts';
import type { StacksJson } from './stacks-json-schema.ts';
import type { Palette } from '../text/palette.ts';
import { wrap } from '../text/wrap.ts';
import { stackStatus, stackStatuses, type StackResult, type StacksResult, type StackStatus } from './stacks-result.ts';

const colours: Partial<Record<StackStatus, keyof Palette>> = {
  failed: 'removed',
  skipped: 'changed',
  'not-started': 'changed',
  unchanged: 'quiet',
};

/** The heading above what a command prints for one of several stacks. */
export function stackHeading(stack: string, palette: Palette): string {
  return `\n${palette.strong(`== ${safeText(stack)} ==`)}\n`;
}

/** What became of each of several stacks, and the total. */
export function stacksText(results: readonly StackResult[], palette: Palette, width?: number): string {
  const widest = Math.max(...results.map(({ stack }) => safeText(stack).length));
  const lines = results.map((result) => {
    const colour = colours[stackStatus(result)];
    const line = `${safeText(result.stack).padEnd(widest)}  ${safeText(stackSummary(result), 300)}`;
    return wrap(colour === undefined ? line : palette[colour](line), width, widest + 2);
  });
  return `\n${lines.map((line) => `${line}\n`).join('')}\n${palette.strong(stacksTotal(results))}\n`;
}

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
  const counts = countEach(stackStatuses, results, stackStatus).map(([status, count]) => `${count} ${words[status]}`);
  return `${counted(results.length, 'stack')}: ${counts.join(', ')}.`;
}

/** How a command ended in several stacks, as a value for JSON: with what it prints for each alone. */
export function stacksJson({ command, exitCode, stacks }: StacksResult): StacksJson {
  const results = stacks.map((result) => ({ ...result, status: stackStatus(result) }));
  const counts = stackStatuses.map((status): [StackStatus, number] => [
    status,
    results.filter((result) => result.status === status).length,
  ]);
  return {
    format_version: '1.0',
    command,
    exit_code: exitCode,
    summary: Object.fromEntries(counts) as StacksJson['summary'],
    stacks: results.map(({ stack, status, exitCode: own, failedDependency, value }) =>
      present({ stack, status, exit_code: own, failed_dependency: failedDependency, result: value?.() }),
    ),
  };
}
