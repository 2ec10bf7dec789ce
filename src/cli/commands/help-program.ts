import type { Command } from 'commander';

/** A word of a command line is not a command of its group. */
export class UnknownCommand extends Error {
  readonly word: string;
  readonly group: Command;

  constructor(word: string, group: Command) {
    super(`unknown command ${JSON.stringify(word.slice(0, 80))}`);
    this.word = word;
    this.group = group;
  }
}

/** Adds `help` to a group of commands and to the groups in it, and makes them refuse other words. Commander's own takes any word for a command. */
export function addHelpCommands(group: Command): void {
  for (const command of group.commands) if (command.commands.length > 0) addHelpCommands(command);
  group
    .on('command:*', ([word = '']: string[]) => {
      throw new UnknownCommand(word, group);
    })
    .helpCommand(false)
    .command('help')
    .argument('[command...]', 'the command to show help for, such as endpoints list')
    .summary('show help for a command')
    .description('Show help for a command.')
    .action((words: readonly string[]) => commandNamed(words, group).help());
}

function commandNamed([word, ...rest]: readonly string[], group: Command): Command {
  if (word === undefined) return group;
  const command = group.commands.find((one) => one.name() === word);
  if (command === undefined) throw new UnknownCommand(word, group);
  return commandNamed(rest, command);
}
