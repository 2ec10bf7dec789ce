import type { Command } from 'commander';

/** The words that call a command, such as `sluice state list`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
