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

/** Where an outcome is told in a comment. */
export interface OutcomeFlags {
  readonly platform?: PlatformName;
  readonly maxBytes?: number;
}

/** Tells how an apply of a plan ended, undefined where it was not begun, and answers the exit code that goes with it. */
export function outcomeReporter(
  context: Context,
  plan: Plan,
  flags: OutcomeFlags,
): (outcome: Outcome | undefined, exitCode: number) => number {
  const text = (outcome: Outcome | undefined): string =>
    outcome === undefined || (isEmptyPlan(plan) && outcome.unsaved === undefined && outcome.unresolved.length === 0)
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
    // Where the result is a document, a person finds this beside it as well.
    if (outcome?.unsaved !== undefined && context.format !== 'text')
      context.log('error', `error: ${outcome.unsaved.message}\n  ${outcome.unsaved.hint}`);
    return exitCode;
  };
}
