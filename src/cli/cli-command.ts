import { Command, Option } from 'commander';

/** A command of sluice: one of Commander's, with what many commands declare alike. */
export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** An option with one of a few values. */
  choice(flags: string, about: string, choices: readonly string[], byDefault?: string): this {
    return this.addOption(new Option(flags, about).choices(choices).default(byDefault));
  }

  /** Command lines to show below the help. */
  examples(...lines: readonly string[]): this {
    return this.footer(`Examples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }

  /** A paragraph to show below the help. */
  footer(text: string): this {
    return this.addHelpText('after', `\n${text}`);
  }
}
