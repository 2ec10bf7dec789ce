/** The first word of a command line is no command. */
export class UnknownCommand extends Error {
  readonly word: string;

  constructor(word: string) {
    super(`unknown command ${JSON.stringify(word.slice(0, 80))}`);
    this.word = word;
  }
}
