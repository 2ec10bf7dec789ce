import { CommanderError } from 'commander';
import { makeContext, type Context, type GlobalFlags } from './context.ts';
import { exitCodes } from './exit-code.ts';
import { failureDocument, tellFailure } from './failure.ts';
import type { Io } from './io.ts';
import { makeProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

/** Runs one command line, and answers the exit code. Never throws. */
export async function run(args: readonly string[], io: Io, version: string): Promise<number> {
  let code: number = exitCodes.done;
  let context: Context | undefined;
  const program = makeProgram(io, version, async (command) => {
    context = makeContext(io, version, program.opts<GlobalFlags>());
    code = await command(context);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has said already what was wrong with the arguments, or printed the help that was asked for.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done;
      if (/--format[= ]json/.test(args.join(' '))) io.out(failureDocument(new UsageError(error.message)));
      return exitCodes.invalid;
    }
    return tellFailure(error, context ?? makeContext(io, version, { color: true, logLevel: 'info' }));
  }
}
