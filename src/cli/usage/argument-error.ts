import type { Command, CommanderError } from 'commander';
import { fullName } from '../cli-command.ts';
import { foreignOptionHint } from './foreign-option.ts';
import { hasOption } from './one-dash-option.ts';
import { emptyArgument } from './refuse-empty.ts';

/** An error of Commander's in the form of all others: no prefix, no value that may be a secret, and the hint apart. */
export function argumentError(
  { code, message: text }: CommanderError,
  program: Command,
  args: readonly string[],
): { readonly message: string; readonly hint?: string } {
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
  // Its value made an option unknown that is named as near.
  const similar =
    near === undefined || message.includes(`'${near}'`)
      ? undefined
      : `did you mean ${several}\`${near.replaceAll(', ', '`, `')}\`?`;
  const hint = usageHint(code, message, similar, commandOf(program, args));
  return hint === undefined ? { message } : { message, hint };
}

/** An error of Commander's without the value of a variable, or of a flag that is none: it may be a secret. */
function withoutValues(text: string): string {
  return text
    .replace(/(option '--var <name=value>') argument '[^]*' is invalid\. /, '$1: ')
    .replace(/unknown option '(--?[\w-]+)=[^]*'/, "the option '$1' is unknown or takes no value");
}

/** What to do about arguments that a command does not take; undefined if the error contains it. */
function usageHint(code: string, message: string, similar: string | undefined, command: Command): string | undefined {
  const help = `run \`${fullName(command)} --help\` to list the`;
  switch (code) {
    case 'commander.missingArgument':
      return message.includes("'kind'") ? 'run `sluice explain` to list the kinds' : `${help} arguments`;
    case 'commander.excessArguments':
      return hasOption(command, '--file')
        ? 'name files and directories of manifests with `-f PATH`, and a resource with `--target KIND/NAME`'
        : `${help} arguments`;
    case 'commander.unknownOption': {
      const [, option = ''] = /^(?:unknown|the) option '--?([\w-]+)'/.exec(message) ?? [];
      return twoDashesHint(message, command) ?? foreignOptionHint(option) ?? similar ?? `${help} options`;
    }
    case emptyArgument:
      return 'pass a value; if it comes from a variable, check that the variable is set';
    default:
      return similar;
  }
}

/** Terraform's spelling of an option that the command has. */
function twoDashesHint(message: string, command: Command): string | undefined {
  const [, name] = /option '-(\w[\w-]+)/.exec(message) ?? [];
  const isKnown = name === 'help' || (name === 'version' && command.parent === null) || hasOption(command, `--${name}`);
  return isKnown ? `write long options with two dashes, as in \`--${name}\`` : undefined;
}

/** The command that the words of a command line name, as far as they name one. */
function commandOf(program: Command, args: readonly string[]): Command {
  let found = program;
  for (const word of args) found = found.commands.find((one) => one.name() === word) ?? found;
  return found;
}
