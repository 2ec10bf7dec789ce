import { expect, test } from 'vitest';
import type { State } from '../../../src/model/state.ts';
import { hideState } from '../../../src/stack/snapshot/hide-state.ts';

test('a state without intents and memory of access has none in a snapshot, and never what verifies manifests or values', () => {
  const state = { serial: 1, entries: {}, externalValues: { a: 1 }, applied: { commit: 'c0ffee' } } as unknown as State;
  expect(hideState(state, String)).toEqual({ serial: 1, entries: {} });
  const more = {
    ...state,
    intents: { 'ReservedAddr/a': { nonces: ['n'] } },
    lastAccess: { at: 'x' },
  } as unknown as State;
  expect(hideState(more, String)).toMatchObject({
    intents: { 'ReservedAddr/a': { nonces: ['n'] } },
    lastAccess: { at: 'x' },
  });
});
