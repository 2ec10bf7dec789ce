import { longestSeconds } from '../derive/duration.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { quoted } from '../diagnostics/quoted.ts';
import { listenAddress } from '../model/exposure/listen-pattern.ts';
import { UsageError } from './usage-error.ts';

/** What an option of a call must be: the test, and its words in `must be …`. */
export interface OptionType {
  readonly is: (value: unknown) => boolean;
  readonly text: string;
  /** What a wrong value is, in words; by default its type. */
  readonly actual?: (value: unknown) => string;
  readonly isRequired?: boolean;
}

const isString = (value: unknown): value is string => typeof value === 'string';
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(isString);
const isVariable = (value: unknown): boolean => value === undefined || isString(value);

/** The types that options have. */
export const optionTypes = {
  boolean: { is: (value) => typeof value === 'boolean', text: 'true or false' },
  string: { is: (value) => typeof value === 'string' && value !== '', text: 'a string that is not empty' },
  strings: { is: isStrings, text: 'an array of strings', actual: elementText(isString, typeText) },
  callback: { is: (value) => typeof value === 'function', text: 'a function' },
  signal: { is: isSignal, text: 'an AbortSignal, such as controller.signal' },
  requests: {
    is: (value) => Number.isInteger(value) && isWithin(value, 1, 256),
    text: 'an integer from 1 to 256',
    actual: numberText,
  },
  seconds: {
    is: (value) => isWithin(value, 0, longestSeconds),
    text: `a number of seconds from 0 to ${longestSeconds}`,
    actual: numberText,
  },
  address: {
    is: (value) => value === false || (typeof value === 'string' && listenAddress(value) !== undefined),
    text: 'host:port, such as 127.0.0.1:9470, or false',
    actual: shown,
  },
  environment: {
    is: (value) => isObject(value) && Object.values(value).every(isVariable),
    text: 'an object with strings, such as process.env',
    actual: environmentText,
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
        `${call}: unknown option ${quoted(name, 80)}`,
        didYouMean(name, Object.keys(known)) ?? `the options are ${Object.keys(known).join(', ')}`,
      );
  for (const [name, { is, text, actual = typeText, isRequired }] of Object.entries(known)) {
    const value = given[name];
    if (value === undefined && isRequired === true)
      throw new UsageError(`${call}: the option \`${name}\` is missing`, `set \`${name}\` to ${text}`);
    if (value !== undefined && !is(value))
      throw new UsageError(
        `${call}: the option \`${name}\` must be ${text}, not ${actual(value)}`,
        `set \`${name}\` to ${text}`,
      );
  }
}

/** A wrong element of an array in words; by its type, if the value is no array. */
export function elementText(
  isRight: (element: unknown) => boolean,
  text: (element: unknown) => string = shown,
): (value: unknown) => string {
  return (value) =>
    Array.isArray(value)
      ? `an array that contains ${text(value.find((element) => !isRight(element)))}`
      : typeText(value);
}

/** The type of a value in words, without the value, which may be a secret. */
export function typeText(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'boolean') return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Promise) return 'a promise';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** A value that is no secret. */
function shown(value: unknown): string {
  return isString(value) && value !== '' ? quoted(value, 80) : numberText(value);
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeText(value);
}

/** Names the variable that is no string, without its value. */
function environmentText(value: unknown): string {
  const [name, wrong] = isObject(value) ? (Object.entries(value).find(([, one]) => !isVariable(one)) ?? []) : [];
  return name === undefined ? typeText(value) : `an object in which ${quoted(name, 80)} is ${typeText(wrong)}`;
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Promise);
}

// Of another realm, or of a package that stands in for it, it is no instance of ours.
function isSignal(value: unknown): boolean {
  return isObject(value) && typeof value['aborted'] === 'boolean' && typeof value['addEventListener'] === 'function';
}
