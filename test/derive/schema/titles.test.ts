import { expect, test } from 'vitest';
import { withTitles } from '../../../src/derive/schema/titles.ts';

test('each property has its name as its title, however deep', () => {
  const inner = { type: 'string' };
  expect(withTitles({ anyOf: [{ properties: { a: { properties: { b: inner } } } }] }, {})).toEqual({
    anyOf: [{ properties: { a: { title: 'a', properties: { b: { title: 'b', ...inner } } } } }],
  });
});

test('a property that points elsewhere has the description and the examples of what it points to', () => {
  const definitions = { duration: { type: 'string', description: 'A duration.', examples: ['90d'] }, bare: {} };
  const properties = { every: { $ref: '#/$defs/duration' }, other: { $ref: '#/$defs/bare' } };
  expect(withTitles({ properties }, definitions)).toEqual({
    properties: {
      every: { title: 'every', description: 'A duration.', examples: ['90d'], $ref: '#/$defs/duration' },
      other: { title: 'other', $ref: '#/$defs/bare' },
    },
  });
});

test.each(['examples', 'default', 'if'])('what is below %s is as it was written: it has no titles', (keyword) => {
  const schema = { [keyword]: { properties: { a: { type: 'string' } } } };
  expect(withTitles(schema, {})).toEqual(schema);
});
