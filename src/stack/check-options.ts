import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { safeText } from '../diagnostics/safe-text.ts';
import { UsageError } from './usage-error.ts';

/** What an option of a call must be: the test, and its words in `must be …`. */
export interface OptionType {
  readonly is: (value: unknown) => boolean;
  readonly text: string;
  readonly isRequired?: boolean;
}

const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every((one) => typeof one === 'string');

/** The types that options have. */
export const optionTypes = {
  boolean: { is: (value) => typeof value === 'boolean', text: 'true or false' },
  string: { is: (value) => typeof value === 'string' && value !== '', text: 'a string that is not empty' },
  strings: { is: isStrings, text: 'an array of strings' },
  callback: { is: (value) => typeof value === 'function', text: 'a function' },
  signal: { is: isSignal, text: 'an AbortSignal, such as controller.signal' },
  requests: {
    is: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 256,
    text: 'an integer from 1 to 256',
  },
  seconds: { is: (value) => typeof value === 'number' && value >= 0, text: 'a number of seconds, 0 or more' },
  address: {
    is: (value) => value === false || (typeof value === 'string' && value !== ''),
    text: 'a string such as 127.0.0.1:9090, or false',
  },
  environment: {
    is: (value) => isObject(value) && Object.values(value).every((one) => one === undefined || typeof one === 'string'),
    text: 'an object with strings, such as process.env',
  },
} as const satisfies Readonly<Record<string, OptionType>>;

/** The options that every call of the library takes which opens a stack. */
export const libraryOptionTypes: Readonly<Record<string, OptionType>> = {
  dir: { ...optionTypes.string, isRequired: true },
  env: { ...optionTypes.environment, isRequired: true },
  signal: optionTypes.signal,
  parallelism: optionTypes.requests,
  onLog: optionTypes.callback,
  onDiagnostics: optionTypes.callback,
};

/** Throws a usage error for options that are no object, have a wrong type or that the call does not know. A call from JavaScript is not checked by a compiler. */
export function checkOptions(call: string, given: unknown, known: Readonly<Record<string, OptionType>>): void {
  if (!isObject(given))
    throw new UsageError(
      `${call}: the options must be an object, not ${typeText(given)}`,
      `pass an object such as {${Object.keys(known).slice(0, 2).join(', ')}}`,
    );
  for (const name of Object.keys(given))
    if (!Object.hasOwn(known, name))
      throw new UsageError(
        `${call}: unknown option ${JSON.stringify(safeText(name, 80))}`,
        didYouMean(name, Object.keys(known)) ?? `the options are ${Object.keys(known).join(', ')}`,
      );
  for (const [name, { is, text, isRequired }] of Object.entries(known)) {
    const value = given[name];
    if (value === undefined && isRequired === true)
      throw new UsageError(`${call}: the option \`${name}\` is missing`, `set \`${name}\` to ${text}`);
    if (value !== undefined && !is(value))
      throw new UsageError(
        `${call}: the option \`${name}\` must be ${text}, not ${typeText(value)}`,
        `set \`${name}\` to ${text}`,
      );
  }
}

/** The type of a value in words, without the value, which may be a secret. */
export function typeText(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Promise);
}

// Of another realm, or of a package that stands in for it, it is no instance of ours.
function isSignal(value: unknown): boolean {
  return isObject(value) && typeof value['aborted'] === 'boolean' && typeof value['addEventListener'] === 'function';
}
