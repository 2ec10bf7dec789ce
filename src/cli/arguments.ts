import { InvalidArgumentError } from 'commander';
import { secondsIn } from '../derive/duration.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { hazardCodes } from '../model/plan.ts';

/** Collects the values of an option that may be given several times. */
export function several(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

/** Collects hazards, each of which must be one that there is. */
export function severalHazards(value: string, before: readonly string[] | undefined): readonly string[] {
  if (hazardCodes.some((code) => code === value)) return several(value, before);
  const near = suggest(value, hazardCodes);
  throw new InvalidArgumentError(near === undefined ? `Hazards: ${hazardCodes.join(', ')}.` : `Did you mean ${near}?`);
}

/** Reads the value of an option that is a whole number. */
export function count(most: number, least = 1): (text: string) => number {
  return (text) => {
    const number = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
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
