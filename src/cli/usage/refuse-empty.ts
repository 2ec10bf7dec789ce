import type { Argument, Command, Option } from 'commander';

/** The code of the error about an empty argument. */
export const emptyArgument = 'sluice.emptyArgument';

/**
 * Makes a command, and those below it, refuse every empty argument and value of an option: usually it is an unset variable
 * of a script, and would be taken as absent, as a path or as a filter that matches everything.
 */
export function refuseEmpty(command: Command): void {
  for (const option of command.options)
    if (option.required || option.optional)
      refuse(option, `the value of ${option.long ?? option.short ?? option.flags}`);
  for (const argument of command.registeredArguments) refuse(argument, `the argument '${argument.name()}'`);
  for (const below of command.commands) refuseEmpty(below);

  function refuse(one: Option | Argument, name: string): void {
    const { parseArg } = one;
    one.argParser((value: string, before: unknown): unknown => {
      if (value === '') command.error(`error: ${name} is empty`, { code: emptyArgument });
      if (parseArg !== undefined) return parseArg(value, before);
      return one.variadic ? [...((before as readonly string[] | undefined) ?? []), value] : value;
    });
  }
}
