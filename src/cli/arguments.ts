import { InvalidArgumentError, Option } from 'commander';
import { secondsIn } from '../derive/duration.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { hazardCodes } from '../model/plan/plan.ts';
import type { CliCommand } from './cli-command.ts';

/** Collects the values of a repeatable option. */
export function repeatable(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Collects the values of a repeatable option of the form NAME=VALUE. */
export function assignment(value: string, before: readonly string[] | undefined): readonly string[] {
  if (/^[^=]+=/.test(value)) return repeatable(value, before);
  throw new InvalidArgumentError('the value must be NAME=VALUE');
}

/** An option that may be repeated, each time with one of a few values, or with one of a form. */
export function repeatableChoice(flags: string, about: string, choices: readonly string[], also?: RegExp): Option {
  return new Option(flags, about).choices(choices).argParser((value, before: readonly string[] | undefined) => {
    if (choices.includes(value) || also?.test(value) === true) return repeatable(value, before);
    const near = suggest(value, choices);
    throw new InvalidArgumentError(
      near === undefined ? `Allowed values: ${choices.join(', ')}.` : `Did you mean ${near}?`,
    );
  });
}

/** Flags of commands that read manifests: which, and what of them. */
export function selecting(command: CliCommand): CliCommand {
  return command
    .option(
      '-f, --file <path>',
      'manifests to read instead of those in sluice.yaml; - reads standard input; repeatable',
      repeatable,
    )
    .option('-l, --selector <selector>', 'limit the run to resources with these labels, such as team=web,tier!=test')
    .option(
      '--target <address>',
      'limit the run to this resource, such as Kind/name; * matches any text; repeatable',
      repeatable,
    );
}

/** Flags of commands that ask before they change something: one to not ask, in two spellings. */
export function approving(command: CliCommand): CliCommand {
  return command
    .option('-y, --auto-approve', 'skip interactive approval (or --yes)')
    .addOption(new Option('--yes').implies({ autoApprove: true }).hideHelp());
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber(most: number, least = 1): (text: string) => number {
  return (text) => {
    const number = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`The value must be an integer from ${least} to ${most}.`);
  };
}

/** The flag of commands that plan, for an account that may be the wrong one. */
export function acceptMissing(): Option {
  return new Option(
    '--accept-missing',
    'continue although many resources (at least three, and at least half of the stack) are missing from the account; with the built-in emulator or a loopback address, missing resources always cause only a warning',
  );
}

/** The flag of commands that make many requests. */
export function parallelism(): Option {
  return new Option('--parallelism <n>', 'maximum number of concurrent requests')
    .argParser(wholeNumber(256))
    .default(10);
}

/** The flag of commands that take the lock. */
export function lockTimeout(): Option {
  const about = 'how long to wait for the state lock, such as 30s or 5m';
  return new Option('--lock-timeout <duration>', about).argParser(duration);
}

/** The flag of commands that apply what they plan. */
export function allow(): Option {
  return repeatableChoice(
    '--allow <hazard>',
    'allow a hazard that the policy blocks, by its code such as OPENS_ACCESS, or a change that breaks an access rule (rule:NAME); repeatable',
    hazardCodes,
    /^rule:[a-z0-9-]+$/,
  );
}

/** Reads a duration of a flag, as seconds. */
export function duration(text: string): number {
  const seconds = secondsIn(text);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('The value must be a duration, such as 30s or 5m.');
}
