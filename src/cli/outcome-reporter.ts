import { kinds } from '../kinds/index.ts';
import type { Outcome } from '../model/outcome.ts';
import { isEmptyPlan, type Plan } from '../model/plan.ts';
import { outcomeJson } from '../render/outcome/outcome-json.ts';
import { outcomeMarkdown } from '../render/outcome/outcome-markdown.ts';
import { outcomeText } from '../render/outcome/outcome-text.ts';
import { planJson } from '../render/plan/plan-json.ts';
import { platforms, type PlatformName } from '../render/text/platform.ts';
import { platformOf } from './ci.ts';
import type { Context } from './context.ts';

/** Flags for an outcome that is posted as a comment. */
export interface OutcomeFlags {
  readonly platform?: PlatformName;
  readonly maxBytes?: number;
}

/** Returns a function that prints the outcome of an apply (undefined if it was not started) and returns the exit code. */
export function outcomeReporter(
  context: Context,
  plan: Plan,
  flags: OutcomeFlags,
): (outcome: Outcome | undefined, exitCode: number) => number {
  const text = (outcome: Outcome | undefined): string =>
    outcome === undefined || (isEmptyPlan(plan) && outcome.stateError === undefined && outcome.unresolved.length === 0)
      ? ''
      : `\n${outcomeText(outcome, context.palette, context.width)}`;
  const markdown = (outcome: Outcome | undefined, exitCode: number): string => {
    const { maxBytes } = platforms[flags.platform ?? platformOf(context.io.env)];
    return outcomeMarkdown({ plan, outcome, exitCode, maxBytes: flags.maxBytes ?? maxBytes });
  };
  return (outcome, exitCode) => {
    context.result(
      () => (context.format === 'markdown' ? markdown(outcome, exitCode) : text(outcome)),
      () => ({
        format_version: '1.0',
        plan: planJson(plan, { kinds }),
        outcome: outcome === undefined ? null : outcomeJson(outcome, exitCode),
      }),
    );
    // Text output contains this already; the other formats print it to standard error as well.
    if (outcome?.stateError !== undefined && context.format !== 'text')
      context.log('error', `error: ${outcome.stateError.message}\n  ${outcome.stateError.hint}`);
    return exitCode;
  };
}
