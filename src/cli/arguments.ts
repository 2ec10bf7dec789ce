import { InvalidArgumentError, Option } from 'commander';
import { secondsIn } from '../derive/duration.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { hazardCodes } from '../model/plan.ts';

/** Collects the values of a repeatable option. */
export function repeatable(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Collects hazards; each must be a known hazard. */
export function repeatableHazards(value: string, before: readonly string[] | undefined): readonly string[] {
  if (hazardCodes.some((code) => code === value)) return repeatable(value, before);
  const near = suggest(value, hazardCodes);
  throw new InvalidArgumentError(near === undefined ? `Hazards: ${hazardCodes.join(', ')}.` : `Did you mean ${near}?`);
}

/** Reads the value of an option that is a whole number. */
export function wholeNumber(most: number, least = 1): (text: string) => number {
  return (text) => {
    const number = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`);
  };
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
  const about = 'allow a hazard that the policy blocks; repeatable';
  return new Option('--allow <hazard>', about).argParser(repeatableHazards);
}

/** Command lines to show below the help of a command. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Reads a duration of a flag, as seconds. */
export function duration(text: string): number {
  const seconds = secondsIn(text);
  if (seconds !== undefined) return seconds;
  throw new InvalidArgumentError('It must be a duration, such as 30s or 5m.');
}
