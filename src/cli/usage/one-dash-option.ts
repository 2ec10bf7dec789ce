import type { Command } from 'commander';
import { foreignOptionHint } from './foreign-option.ts';

/** The first argument that is a long option with a single dash, as Terraform writes options. */
export function oneDashOption(command: Command, args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).find((arg) => {
    const [, name] = /^-(\w[\w-]+)(?:=|$)/.exec(arg) ?? [];
    return name !== undefined && (hasOption(command, `--${name}`) || foreignOptionHint(name) !== undefined);
  });
}

/** Whether a command, or a group that it belongs to, has this long option. */
export function hasOption({ options, parent }: Command, long: string): boolean {
  return options.some((option) => option.long === long) || (parent !== null && hasOption(parent, long));
}
