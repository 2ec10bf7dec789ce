import type { Command, CommanderError } from 'commander';
import { emptyArgument } from './refuse-empty.ts';
import { fullName } from '../cli-command.ts';

/** What to do about arguments that a command does not take; undefined if the error contains it. */
export function usageHint(
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): string | undefined {
  const command = commandOf(program, args);
  const words = fullName(command);
  switch (code) {
    case 'commander.missingArgument':
      return message.includes("'kind'")
        ? 'run `sluice explain` to list the kinds'
        : `run \`${words} --help\` to list the arguments`;
    case 'commander.excessArguments':
      return `run \`${words} --help\` to list the arguments`;
    case 'commander.unknownOption':
      return twoDashesHint(message, command);
    case emptyArgument:
      return 'pass a value; if it comes from a variable, check that the variable is set';
    default:
      return undefined;
  }
}

/** Terraform's spelling of an option that the command has. */
function twoDashesHint(message: string, command: Command): string | undefined {
  const [, name] = /option '-(\w[\w-]+)/.exec(message) ?? [];
  const isKnown = name === 'help' || (name === 'version' && command.parent === null) || hasOption(command, `--${name}`);
  return isKnown ? `write long options with two dashes, as in \`--${name}\`` : undefined;
}

function hasOption({ options, parent }: Command, long: string): boolean {
  return options.some((option) => option.long === long) || (parent !== null && hasOption(parent, long));
}

/** The command that the words of a command line name, as far as they name one. */
function commandOf(program: Command, args: readonly string[]): Command {
  let found = program;
  for (const word of args) found = found.commands.find((one) => one.name() === word) ?? found;
  return found;
}
