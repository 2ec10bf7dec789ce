import { safeText } from '../../../diagnostics/safe-text.ts';
import type { StackResult } from '../../../render/stacks/stacks-result.ts';
import { isAgreed } from '../../approval/approval.ts';
import type { Context } from '../../context.ts';
import { startInStack, type StackRun } from './stack-run.ts';

/** What to run, and in which order. */
export interface StacksRun {
  /** Each after those that it depends on. */
  readonly stacks: readonly string[];
  readonly dependsOn: (stack: string) => readonly string[];
  readonly command: (context: Context) => Promise<number>;
  /** What it does, as in `Planning network (1 of 3)`. */
  readonly verb: string;
  /** Asks once for all plans that were shown. */
  readonly question?: string;
}

/**
 * Runs a command in several stacks, one after another. A stack is skipped if one that it depends on did not complete. Plans that wait
 * for approval are approved together; a stack that depends on one of them is planned after that, since its plan may be another then.
 */
export async function runStacks(context: Context, run: StacksRun): Promise<readonly StackResult[]> {
  const { stacks, command, verb, question = '' } = run;
  const results = new Map<string, StackResult>();
  let rest = stacks;
  while (rest.length > 0) {
    const waiting: StackRun[] = [];
    const later: string[] = [];
    try {
      for (const stack of rest) {
        const needs = run.dependsOn(stack).filter((needed) => stacks.includes(needed));
        const failed = needs.find((needed) => isIncomplete(results.get(needed)));
        if (context.io.signal.aborted) results.set(stack, { stack });
        else if (failed !== undefined) results.set(stack, { stack, failedDependency: failed });
        else if (needs.every((needed) => results.has(needed))) await start(stack, waiting);
        else later.push(stack);
      }
      const isApproved = waiting.length > 0 && (await isAgreed(context.io, `\n${question}`));
      if (waiting.length > 0 && !isApproved) context.log('error', 'Not approved.');
      for (const one of waiting) {
        const isInterrupted = context.io.signal.aborted;
        const result = await one.answer(isApproved && !isInterrupted);
        results.set(one.stack, isInterrupted ? { stack: one.stack } : result);
      }
    } finally {
      // Each holds the lock of its stack until it is answered.
      await Promise.all(waiting.map((one) => one.answer(false)));
    }
    rest = later;
  }
  return stacks.flatMap((stack) => results.get(stack) ?? []);

  async function start(stack: string, waiting: StackRun[]): Promise<void> {
    const position = `${String(stacks.indexOf(stack) + 1)} of ${String(stacks.length)}`;
    announce(context, `${verb} ${stack} (${position})`);
    const one = startInStack(context, stack, position, command);
    if (await one.asks) waiting.push(one);
    else results.set(stack, await one.ended);
  }
}

/** Shown in the progress line on a terminal; elsewhere logged. */
function announce({ io, format, errPalette, live, log, logs }: Context, text: string): void {
  if (!io.terminal.err || !format.isInteractive) log('info', safeText(text));
  else if (logs('info')) live.show(errPalette.quiet(safeText(text)));
}

function isIncomplete(result: StackResult | undefined): boolean {
  return result !== undefined && (result.isComplete !== true || result.isDeclined === true);
}
