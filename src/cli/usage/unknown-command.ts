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
