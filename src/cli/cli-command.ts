import { Command, Option } from 'commander';
import type { Context } from './context.ts';
import { oneDashOption } from './usage/one-dash-option.ts';

/** Runs a command once its context is created. */
export type Start = (command: (context: Context) => number | Promise<number>) => Promise<void>;

type Work = (context: Context, ...given: never[]) => number | Promise<number>;

/** A command of sluice: one of Commander's, with what many commands declare alike. */
export class CliCommand extends Command {
  readonly #start: Start;

  constructor(name: string | undefined, start: Start) {
    super(name);
    this.#start = start;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#start);
  }

  // Commander would read `-file=a` as `-f` with the value `ile=a`.
  override parseOptions(args: string[]): ReturnType<Command['parseOptions']> {
    const word = oneDashOption(this, args);
    if (word !== undefined) this.error(`error: unknown option '${word}'`, { code: 'commander.unknownOption' });
    return super.parseOptions(args);
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

  /** The function that `runs` it, from a file that is loaded once the command is called. */
  loads(load: () => Promise<Work>): this {
    return this.runs(async (context, ...given) => (await load())(context, ...given));
  }

  /** What the command does with its arguments and flags, as Commander has read them; answers its exit code. */
  runs(work: Work): this {
    return this.action((...given: unknown[]) => this.#start((context) => work(context, ...(given as never[]))));
  }
}

/** The words that call a command, such as `sluice state list`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
