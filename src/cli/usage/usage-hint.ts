import type { Command, CommanderError } from 'commander';
import { emptyArgument } from './refuse-empty.ts';
import { fullName } from './unknown-command-hint.ts';

/** What to do about arguments that a command does not take; undefined if the error contains it. */
export function usageHint(
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): string | undefined {
  const words = fullName(commandOf(program, args));
  switch (code) {
    case 'commander.missingArgument':
      return message.includes("'kind'")
        ? 'run `sluice explain` to list the kinds'
        : `run \`${words} --help\` to list the arguments`;
    case 'commander.excessArguments':
      return `run \`${words} --help\` to list the arguments`;
    case emptyArgument:
      return 'pass a value; if it comes from a variable, check that the variable is set';
    default:
      return undefined;
  }
}

/** The command that the words of a command line name, as far as they name one. */
function commandOf(program: Command, args: readonly string[]): Command {
  let found = program;
  for (const word of args) found = found.commands.find((one) => one.name() === word) ?? found;
  return found;
}
