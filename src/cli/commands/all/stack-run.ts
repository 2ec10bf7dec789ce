import type { StackResult } from '../../../render/stacks/stacks-result.ts';
import { stackHeading } from '../../../render/stacks/stacks-text.ts';
import type { Format } from '../../../render/formats/format.ts';
import { failureJson } from '../../../render/diagnostics/diagnostic-json.ts';
import { safeText } from '../../../diagnostics/safe-text.ts';
import type { Context } from '../../context.ts';
import { exitCodeOf, exitCodes } from '../../exit-code.ts';
import { printFailure } from '../../report-failure.ts';

/** A command that runs in one of several stacks, as it runs alone. */
export interface StackRun {
  readonly stack: string;
  /** Becomes true when the command asks for approval, and false if it ended without. */
  readonly asks: Promise<boolean>;
  /** Answers the question, and waits for the end. */
  readonly answer: (isApproved: boolean) => Promise<StackResult>;
  readonly ended: Promise<StackResult>;
}

/** Starts a command in one of several stacks. Its result is kept; for a person it is printed below a heading as well. */
export function startInStack(
  context: Context,
  stack: string,
  position: string,
  command: (context: Context) => Promise<number>,
): StackRun {
  const { io, format, live } = context;
  let kept: Pick<StackResult, 'planned' | 'applied' | 'value'> = {};
  let isDeclined = false;
  let onAsk: (asks: boolean) => void = () => undefined;
  let onAnswer: (text: string) => void = () => undefined;
  const asks = new Promise<boolean>((resolve) => (onAsk = resolve));
  const answered = new Promise<string>((resolve) => (onAnswer = resolve));
  const label = `${safeText(stack)} (${position})`;

  function heading(): void {
    if (format.isInteractive) print(stackHeading(stack, context.palette));
  }

  function print(text: string): void {
    live.show('');
    io.out(text);
  }

  const own: Context = {
    ...context,
    dir: stack,
    io: {
      ...io,
      out: print,
      ask: () => {
        onAsk(true);
        return answered;
      },
    },
    log: (level, text) => {
      if (!isDeclined) context.log(level, text);
    },
    progress: (text) => context.progress(text === '' ? '' : `${label}: ${text}`),
    result: (text, value, render) => {
      if (!isDeclined && format.isInteractive) print(text());
      render?.(recorder);
      kept = { ...kept, value: () => value() as Readonly<Record<string, unknown>> };
      return exitCodes.done;
    },
  };
  // A format that prints nothing, and keeps what it is given.
  const recorder: Format = {
    isInteractive: format.isInteractive,
    plan: (result, target) => keep({ planned: { result, target } }),
    outcome: (applied) => keep({ applied }),
  };

  function keep(found: typeof kept): string {
    kept = { ...kept, ...found };
    return '';
  }

  async function run(): Promise<StackResult> {
    heading();
    try {
      const exitCode = await command(own);
      return { stack, exitCode, isComplete: exitCode === exitCodes.done || exitCode === exitCodes.pending, ...kept };
    } catch (error) {
      live.show('');
      await printFailure(error, context);
      return {
        stack,
        exitCode: exitCodeOf(error),
        isComplete: false,
        failure: { error },
        value: () => failureJson(error),
      };
    }
  }

  const ended = run().finally(() => {
    live.show('');
    onAsk(false);
  });
  return {
    stack,
    asks,
    ended,
    answer: async (isApproved) => {
      isDeclined = !isApproved;
      if (isApproved) heading();
      onAnswer(isApproved ? 'yes' : 'no');
      const result = await ended;
      return isApproved ? result : { ...result, isDeclined };
    },
  };
}
