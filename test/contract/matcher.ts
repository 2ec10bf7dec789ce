import { isList, type Json } from './words.ts';

/** Where an answer is not what the fixture says: a sentence for each place, none when it fits. */
export function mismatches(expected: Json, actual: Json | undefined, at = 'body'): readonly string[] {
  if (typeof expected === 'string') return says(expected, actual) ? [] : [reported(at, expected, actual)];
  if (isList(expected)) return isList(actual) ? listMismatches(expected, actual, at) : [reported(at, expected, actual)];
  if (expected === null || typeof expected !== 'object')
    return expected === actual ? [] : [reported(at, expected, actual)];
  if (actual === null || typeof actual !== 'object' || isList(actual)) return [reported(at, expected, actual)];
  const extra = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [
    ...extra.map((key) => `${at}.${key} is not in the contract`),
    ...Object.entries(expected).flatMap(([key, value]) => mismatches(value, own(actual, key), `${at}.${key}`)),
  ];
}

function own(of: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}

// The contract promises no order: each expected entry takes the first actual one that fits and is not yet taken.
function listMismatches(expected: readonly Json[], actual: readonly Json[], at: string): readonly string[] {
  const open = expected.at(-1) === '<rest>';
  const wanted = open ? expected.slice(0, -1) : expected;
  const left = [...actual];
  const missing = wanted.filter((entry) => {
    const found = left.findIndex((candidate) => mismatches(entry, candidate).length === 0);
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
  if (missing.length === 1 && left.length === 1) return mismatches(missing[0]!, left[0], `${at}[]`);
  return [
    ...missing.map((entry) => `${at} holds no ${shown(entry)}`),
    ...(open ? [] : left.map((entry) => `${at} holds ${shown(entry)}, which is not in the contract`)),
  ];
}

type Claim = (actual: Json | undefined, word: string) => boolean;

const isText = (actual: Json | undefined): actual is string => typeof actual === 'string' && actual !== '';
const isTime = (actual: Json | undefined): actual is string =>
  isText(actual) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(actual);
const isRef: Claim = (actual) => mismatches({ id: '<string>', uri: '<uri>' }, actual).length === 0;

/** The words a fixture may say in place of a value; the second parameter is what follows the colon. */
const words: Readonly<Record<string, Claim>> = {
  string: isText,
  not: (actual, text) => typeof actual === 'string' && actual !== text,
  number: (actual) => typeof actual === 'number',
  any: (actual) => actual !== undefined,
  absent: (actual) => actual === undefined,
  unset: (actual) => actual === undefined || actual === null || actual === '',
  empty: (actual) => actual === null || (typeof actual === 'object' && Object.keys(actual).length === 0),
  'optional string': (actual) => actual === undefined || typeof actual === 'string',
  'optional ref': (actual) => actual === undefined || isRef(actual, ''),
  time: isTime,
  'optional time': (actual) => actual === undefined || actual === null || isTime(actual),
  instant: (actual, time) => isTime(actual) && Date.parse(actual) === Date.parse(time),
  'year after': (actual, time) => isTime(actual) && Date.parse(actual) === yearAfter(time),
  id: (actual, prefix) => isText(actual) && new RegExp(`^${prefix}_[0-9A-Za-z]{27}$`).test(actual),
  uri: (actual, path) => isText(actual) && endsIn(pathOf(actual), path),
  hostport: (actual) => isText(actual) && /^[a-z0-9.-]+:\d{1,5}$/.test(actual),
  one: (actual, of) => isText(actual) && of.split('|').includes(actual),
  starts: (actual, text) => isText(actual) && actual.startsWith(text),
  contains: (actual, text) => isText(actual) && actual.includes(text),
};

function says(expected: string, actual: Json | undefined): boolean {
  const [, name = '', rest = ''] = /^<([a-z ]+)(?::([^]*))?>$/.exec(expected) ?? [];
  return Object.hasOwn(words, name) ? words[name]!(actual, rest) : expected === actual;
}

function yearAfter(time: string): number {
  const date = new Date(time);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

function pathOf(uri: string): string | undefined {
  return /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/.exec(uri)?.[1];
}

function endsIn(path: string | undefined, pattern: string): boolean {
  const source = pattern.replaceAll(/[.+()[\]]/g, String.raw`\$&`).replaceAll('*', '[^/]+');
  return path !== undefined && new RegExp(`${source}$`).test(path);
}

function reported(at: string, expected: Json, actual: Json | undefined): string {
  return `${at} should be ${shown(expected)} and is ${actual === undefined ? 'absent' : shown(actual)}`;
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
