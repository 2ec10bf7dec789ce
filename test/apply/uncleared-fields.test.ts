import { expect, test } from 'vitest';
import { unclearedFields } from '../../src/apply/uncleared-fields.ts';
import { httpsEdgeRoute } from '../../src/kinds/https-edge-route/index.ts';

const id = 'edghtsrt_1';
const kept = (body: Parameters<typeof unclearedFields>[1], answer: unknown) =>
  unclearedFields(httpsEdgeRoute, body, answer);

test('a text that was to be cleared and is there still is named by its pointer, with what is there', () => {
  const answer = { id, description: 'kept', match: '/new' };
  expect(kept({ description: '', match: '/new' }, answer)).toEqual({ '/description': 'kept' });
});

test.each([
  ['is empty', { id, description: '' }],
  ['is not there', { id }],
  ['is there no more, as null', { id, description: null }],
])('a text that %s was cleared', (_, answer) => {
  expect(kept({ description: '' }, answer)).toEqual({});
});

test('a group that was to be cleared is no text that is kept', () => {
  expect(kept({ compression: '' }, { id, compression: {} })).toEqual({});
});

test('where nothing was to be cleared, or nothing was answered, nothing is kept, whatever the response is', () => {
  expect(kept({ description: 'new' }, 'Sign in to continue')).toEqual({});
  expect(kept(undefined, 'Sign in to continue')).toEqual({});
  expect(kept({ description: '' }, undefined)).toEqual({});
});
