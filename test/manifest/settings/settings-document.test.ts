import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Path } from '../../../src/kinds/value.ts';
import {
  blocksWith,
  fieldsAt,
  flawOfText,
  onlyDocument,
  settingsVisibility,
  wordsAt,
} from '../../../src/manifest/settings/settings-document.ts';
import { Problems } from '../../../src/manifest/check/problems.ts';
import { temporaryFiles } from '../../support/manifests.ts';

const credential = z.strictObject({ from_env: z.string() });
const schema = z.strictObject({
  version: z.literal(1),
  api: z
    .strictObject({ key: credential.optional(), url: z.string().min(3), mode: z.enum(['fast', 'slow']) })
    .prefault({ url: 'x', mode: 'fast' } as never),
  hooks: z.array(z.strictObject({ url: z.union([z.string(), credential]), name: z.string() })).default([]),
  vars: z.record(z.string(), z.strictObject({ note: z.string().optional() })),
});
const at = (path: string): Path =>
  path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));

test.each([
  ['', ['version', 'api', 'hooks', 'vars']],
  ['api', ['key', 'url', 'mode']],
  ['api.key', ['from_env']],
  ['api.url', []],
  ['hooks', []],
  ['hooks.0', ['url', 'name']],
  ['hooks.first', []],
  ['hooks.0.url', ['from_env']],
  ['vars', []],
  ['vars.anything', ['note']],
  ['nothing', []],
  ['constructor', []],
])('the fields at %j', (path, fields) => {
  expect(fieldsAt(schema, at(path))).toEqual(fields);
});

test('the words at a path are those of an enumeration, or a literal', () => {
  const words = ['api.mode', 'version', 'api.url', 'api'].map((path) => wordsAt(schema, at(path)));
  expect(words).toEqual([['fast', 'slow'], ['1'], [], []]);
});

test('what is wrong with a text is what the schema of a text finds', () => {
  expect(flawOfText(schema, at('api.url'), 'ab')?.code).toBe('too_small');
  expect(flawOfText(schema, at('api.url'), 'abc')).toBeUndefined();
  expect(flawOfText(schema, at('hooks.0.url'), '')).toBeUndefined();
  expect(flawOfText(schema, at('api'), '')).toBeUndefined();
});

test('the blocks with a field are named once each, and not those in lists', () => {
  expect(blocksWith(schema, 'url')).toEqual(['api']);
  expect(blocksWith(schema, 'from_env')).toEqual(['api.key']);
  expect(blocksWith(schema, 'version')).toEqual(['']);
  expect(blocksWith(z.union([credential, credential]), 'from_env', 'key')).toEqual(['key']);
  for (const name of ['name', 'note', 'constructor']) expect(blocksWith(schema, name)).toEqual([]);
});

test.each([
  ['version', true, true],
  ['api', false, true],
  ['api.url', true, true],
  ['api.key', false, true],
  ['api.key.from_env', true, true],
  ['api.key.canary', false, false],
  ['hooks', false, true],
  ['hooks.0', false, true],
  ['hooks.0.url', true, true],
  ['hooks.0.name', true, true],
  ['vars.a', false, true],
  ['vars.a.note', true, true],
  ['nothing', false, true],
  ['nothing.canary', false, true],
])('of %s, whether the value may be shown: %s, and the key: %s', (path, value, key) => {
  const { of } = settingsVisibility(schema);
  const shows = of(undefined as never);
  expect([shows(at(path)), shows(at(path), true)]).toEqual([value, key]);
  const isDiscreet = settingsVisibility(schema, (one) => one.join('.') === path).of(undefined as never);
  expect([isDiscreet(at(path)), isDiscreet(at(path), true)]).toEqual([false, key]);
});

test('the words of a file are all its fields, those in lists among them', () => {
  const { words } = settingsVisibility(schema);
  expect([...words].sort()).toEqual(['api', 'from_env', 'hooks', 'key', 'mode', 'name', 'url', 'vars', 'version']);
});

test.each([
  ['version: 1\n', { version: 1 }, []],
  ['', {}, []],
  ['# nothing yet\n', {}, []],
  ['version: 1\n---\nversion: 2\n', { version: 1 }, ['the file a.yaml must contain exactly one document']],
  ['version: [\n', undefined, ['the bracket `[` is not closed']],
])('of the file %j, the document is %j', (text, value, messages) => {
  const dir = temporaryFiles({ 'a.yaml': text });
  const problems = new Problems(settingsVisibility(schema));
  const document = onlyDocument({ name: 'a.yaml', path: `${dir}/a.yaml`, title: 'the file a.yaml' }, problems);
  expect(document?.value).toEqual(value);
  expect(problems.all().map(({ message }) => message)).toEqual(messages);
});
