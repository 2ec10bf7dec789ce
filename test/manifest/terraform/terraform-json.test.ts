import { describe, expect, test } from 'vitest';
import { InvalidInput } from '../../../src/diagnostics/errors.ts';
import { limits } from '../../../src/manifest/read/limits.ts';
import { terraformResources } from '../../../src/manifest/terraform/terraform-json.ts';

const resource = (name: string, more: object = {}) => ({
  ...{ mode: 'managed', type: 'example_https_edge', name, values: {} },
  ...more,
});
const shown = (root: object, more: object = {}): string =>
  JSON.stringify({ format_version: '1.0', values: { root_module: root }, ...more });
const namesIn = (text: string): readonly string[] => terraformResources(text, 'show.json').map(({ name }) => name);

/** The problem of a text, as `line:column message`; undefined where the text is read. */
function problem(text: string): string | undefined {
  try {
    terraformResources(text, 'show.json');
    return undefined;
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    const [{ code, message, place } = { code: '', message: '' }] = error.diagnostics;
    return `${String(place?.line)}:${String(place?.col)} ${code} ${message}`;
  }
}

const syntax = (place: string) => `${place} SYNTAX_ERROR not valid JSON`;
const early = (place: string) => `${place} SYNTAX_ERROR the JSON text ends too early`;

describe('a JSON text is read where it is valid', () => {
  const values = [
    ...['0', '-0', '-1', '10', '1.5', '1e3', '1E+3', '1e-3', 'true', 'false', 'null', '""', '"a"', '"é𝄞"', '[]', '{}'],
    ...[
      '[1]',
      '[1,2]',
      '[[],{}]',
      '{"a":1}',
      '{"a":1,"b":[]}',
      ' [ 1 , 2 ] ',
      '\t{\r\n"a" : 1 }',
      '"\\u00e9\\n\\\\\\""',
    ],
    ...[
      '',
      '01',
      '-',
      '+1',
      '.5',
      '1.',
      '1e',
      '0x1',
      'NaN',
      'True',
      'nul',
      'nulls',
      '1a',
      "'a'",
      '"a',
      '"\\x"',
      '"\\u12"',
    ],
    ...['"\n"', '"\t"', '[', ']', '[1,]', '[,1]', '[1 2]', '[1}', '{', '}', '{1:2}', '{"a"}', '{"a":}', '{"a" 1}'],
    ...['{"a":1,}', '{,}', '{"a":1]', '{"a":1 "b":2}', '{"a","b"}', '{"a"::1}', '[:]', '[1:2]', '[1,,2]', '1 2', '1,2'],
    ...['{"a":1}}', '[[1]', '{"a":{"b":1}', '\u00a01', '// no', '1 // no', '{a:1}', '"\u2028"', '\u000b1'],
  ];
  test.each(values)('%j', (value) => {
    const text = `{"format_version":"1.0","x":${value}}`;
    expect(problem(text) === undefined).toBe(isJson(text));
    // The whole text is such a value.
    expect(problem(value)?.includes('SYNTAX_ERROR')).toBe(!isJson(value));
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['', early('1:1')],
  [' \n ', early('2:2')],
  ['{"a": 1', early('1:8')],
  ['{"a":\n  oops}', syntax('2:3')],
  ['{"a":\n  [1 2]}', syntax('2:6')],
  ['{}\n{}', syntax('2:1')],
  ['{"a" 1}', syntax('1:6')],
  ['{"a": "b', syntax('1:7')],
  ['{"a": ]', syntax('1:7')],
])('the place of what is wrong in %j is that of the first token that does not fit', (text, expected) => {
  expect(problem(text)).toBe(expected);
});

test('a text is nested as deep as the limit, and no deeper', () => {
  const nested = (depth: number): string =>
    `{"format_version":"1.0","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
  const most = limits.depth * 4;
  expect(problem(nested(most))).toBeUndefined();
  expect(problem(nested(most + 1))).toMatch(/TOO_DEEP the JSON text is nested more than 256 levels deep$/);
});

test.each([
  ['0.1', undefined],
  ['1.2', undefined],
  ['10.0', '1:1 INVALID_VALUE format_version "10.0" is not supported'],
  ['2.0', '1:1 INVALID_VALUE format_version "2.0" is not supported'],
  ['1', '1:1 INVALID_VALUE format_version "1" is not supported'],
  [1, '1:1 INVALID_VALUE the file is not the output of terraform show -json'],
])('of format_version %j, the problem is %j', (version, expected) => {
  expect(problem(shown({}, { format_version: version }))).toBe(expected);
});

test('a Terraform state is named as one, and anything else is no output of Terraform', () => {
  expect(problem('{"version": 4}')).toBe(
    '1:1 INVALID_VALUE the file is a Terraform state, not its JSON representation',
  );
  for (const text of ['{"version": 3}', '[]', 'null', '"1.0"'])
    expect(problem(text)).toBe('1:1 INVALID_VALUE the file is not the output of terraform show -json');
});

test('a byte order mark is no part of the text, but only at its beginning and once', () => {
  const text = shown({ resources: [resource('shop')] });
  expect(namesIn(`\uFEFF${text}`)).toEqual(['shop']);
  expect(problem(`${text}\uFEFF`)).toContain('not valid JSON');
  expect(problem(`\uFEFF\uFEFF${text}`)).toBe(syntax('1:1'));
});

test('the resources come in the order of the file: those of a module, then of the modules in it', () => {
  const inner = { resources: [resource('c')], child_modules: [{ resources: [resource('d')] }] };
  const root = {
    resources: [resource('a'), resource('b')],
    child_modules: [inner, 'no module', { resources: [resource('e')] }],
  };
  expect(namesIn(shown({ ...root, child_modules: [inner, { resources: [resource('e')] }] }))).toEqual([
    ...['a', 'b', 'c', 'd', 'e'],
  ]);
  expect(namesIn(shown({}, { values: undefined, planned_values: { root_module: root } }))).toContain('a');
  expect(namesIn(shown({ resources: {}, child_modules: 'none' }))).toEqual([]);
  expect(namesIn(shown({}, { values: undefined }))).toEqual([]);
});

test('data sources and entries without type, name or values are omitted', () => {
  const entries = [
    ...[resource('data', { mode: 'data' }), resource('untyped', { type: 1 }), resource('unnamed', { name: null })],
    ...[resource('empty', { values: null }), resource('list', { values: [] }), null, 'text', resource('kept')],
  ];
  expect(namesIn(shown({ resources: entries }))).toEqual(['kept']);
});

test('the name of a resource has its modules, its name and its index, and no type', () => {
  const named = (address: unknown) => namesIn(shown({ resources: [resource('shop', { address })] }))[0];
  expect(named('example_https_edge.shop')).toBe('shop');
  expect(named('module.web.module.eu.example_https_edge.shop["A b"]')).toBe('web-eu-shop-a-b');
  expect(named('example_https_edge.my_module.x')).toBe('my-module-x');
  expect(named(undefined)).toBe('shop');
});

test('as many resources are read as the limit, and no more', () => {
  const many = (count: number) => shown({ resources: Array.from({ length: count }, () => resource('a')) });
  expect(namesIn(many(50_000))).toHaveLength(50_000);
  expect(problem(many(50_001))).toBe('1:1 TOO_LARGE the file has more than 50000 resources');
});
