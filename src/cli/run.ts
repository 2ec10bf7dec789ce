import { CommanderError } from 'commander';
import type { Context, GlobalFlags } from './context.ts';
import { formats } from '../render/formats/formats.ts';
import type { Io } from './io.ts';
import { makeProgram } from './program.ts';
import { UnknownCommand } from './commands/help-program.ts';
import { argumentError } from './usage/argument-error.ts';

/** Runs one command line and returns the exit code. Never throws. Modules that help does not need are loaded when a command starts. */
export async function run(args: readonly string[], io: Io, version: string): Promise<number> {
  let code = 0;
  let context: Context | undefined;
  const program = makeProgram(io, version, async (command) => {
    context = await contextOf(program.opts<GlobalFlags>());
    code = await command(context);
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const failure = await import('./report-failure.ts');
    if (error instanceof UnknownCommand) {
      const [{ unknownCommandHint }, { UsageError }] = await Promise.all([
        import('./usage/unknown-command-hint.ts'),
        import('../stack/usage-error.ts'),
      ]);
      const unknown = new UsageError(error.message, unknownCommandHint(error.word, error.group));
      return failure.reportFailure(unknown, await contextOf(program.opts<GlobalFlags>()).catch(plainContext));
    }
    if (error instanceof CommanderError) {
      const { message, hint } = argumentError(error, program, args);
      // Commander has printed the help of a group of commands.
      if (error.code !== 'commander.help') io.err(`error: ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`);
      return failure.usageFailure(message, hint, args, io, version);
    }
    return failure.reportFailure(error, context ?? (await plainContext()));
  }

  // For an error about the flags themselves.
  async function plainContext(): Promise<Context> {
    return (await import('./context.ts')).makeContext(io, version, { color: true, logLevel: 'info' });
  }

  async function contextOf(flags: GlobalFlags): Promise<Context> {
    const [{ makeContext }, format] = await Promise.all([import('./context.ts'), formats[flags.format ?? 'text']()]);
    return makeContext(io, version, flags, format);
  }
}
