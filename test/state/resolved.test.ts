import { expect, test } from 'vitest';
import type { Entry, State } from '../../src/model/state.ts';
import { resolvedState } from '../../src/state/resolved.ts';
import { emptyState } from '../../src/state/store.ts';

/** A state in which it is open what came of two requests that create an edge, beside what was there before. */
function openState(before?: Partial<Entry>): State {
  return {
    ...emptyState('5c1e7a90', 'https://api.example.com'),
    entries: before === undefined ? {} : { 'HTTPSEdge/shop': edge('edge_old', before) },
    intents: { 'HTTPSEdge/shop': { kind: 'HTTPSEdge', nonces: ['first', 'second'] } },
  };
}

function edge(id: string, facts: Partial<Entry> = {}): Entry {
  return { kind: 'HTTPSEdge', id, spec: {}, protect: false, retain: false, ...facts };
}

test('a creation that made nothing is no longer open, and what was there before stays as it is', () => {
  const before = openState({ nonce: 'old' });
  expect(resolvedState(before, 'HTTPSEdge/shop')).toEqual({ ...before, intents: {} });
});

test('what it made is ours, and so is whatever its other requests may still have made', () => {
  const resolved = resolvedState(openState(), 'HTTPSEdge/shop', edge('edge_new', { nonce: 'second' }));
  expect(resolved?.intents).toEqual({});
  expect(resolved?.entries).toEqual({
    'HTTPSEdge/shop': edge('edge_new', { nonce: 'second', formerNonces: ['first'] }),
  });
});

test('what it replaces is still to be deleted, with what that had replaced itself', () => {
  const before = { nonce: 'old', formerNonces: ['older'], deposed: ['edge_older'] };
  const resolved = resolvedState(openState(before), 'HTTPSEdge/shop', edge('edge_new'));
  expect(resolved?.entries['HTTPSEdge/shop']).toMatchObject({
    deposed: ['edge_older', 'edge_old'],
    formerNonces: ['old', 'older', 'first', 'second'],
  });
});

test('what was there before and is what it made is not to be deleted', () => {
  const resolved = resolvedState(openState({}), 'HTTPSEdge/shop', edge('edge_old', { nonce: 'first' }));
  expect(resolved?.entries['HTTPSEdge/shop']).toEqual(edge('edge_old', { nonce: 'first', formerNonces: ['second'] }));
});

test('where nothing is open, nothing changes', () => {
  const settled = { ...openState(), intents: {} };
  expect(resolvedState(settled, 'HTTPSEdge/shop')).toBeUndefined();
  expect(resolvedState(emptyState('5c1e7a90', 'https://api.example.com'), 'HTTPSEdge/shop')).toBeUndefined();
});
