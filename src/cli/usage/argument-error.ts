import type { Command, CommanderError } from 'commander';
import { fullName } from '../cli-command.ts';
import { foreignOptionHint } from './foreign-option.ts';
import { emptyArgument } from './refuse-empty.ts';

/** An error of Commander's in the form of all others: no prefix, no value that may be a secret, and the hint apart. */
export function argumentError(text: string): { readonly message: string; readonly hint?: string } {
  // Commander has printed the help of a group of commands.
  if (text === '(outputHelp)') return { message: 'a command is missing' };
  const plain = withoutValues(text)
    .trimEnd()
    .replace(/^error: /, '')
    .replace(/\. Expected (\d+) arguments? but got (\d+)\./, ': $2 given, $1 allowed')
    .replace(/command-argument value '([^']*)' is invalid for argument '([^']*)'/, "the argument '$2' cannot be '$1'");
  const [found = '', several = '', near] =
    /\n\(Did you mean (one of )?([^)]*)\?\)$/.exec(plain) ?? / Did you mean ()([\w-]+)\?$/.exec(plain) ?? [];
  const message = near === undefined ? plain : plain.slice(0, -found.length);
  const [, option = ''] = /^(?:unknown|the) option '--?([\w-]+)'/.exec(message) ?? [];
  const hint = foreignOptionHint(option);
  if (hint !== undefined) return { message, hint };
  if (near === undefined) return { message };
  // Its value made it unknown.
  if (message.includes(`'${near}'`)) return { message };
  return { message, hint: `did you mean ${several}\`${near.replaceAll(', ', '`, `')}\`?` };
}

/** An error of Commander's without the value of a variable, or of a flag that is none: it may be a secret. */
function withoutValues(text: string): string {
  return text
    .replace(/(option '--var <name=value>') argument '[^]*' is invalid\. /, '$1: ')
    .replace(/unknown option '(--?[\w-]+)=[^]*'/, "the option '$1' is unknown or takes no value");
}

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
