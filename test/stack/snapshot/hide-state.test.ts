import { expect, test } from 'vitest';
import type { State } from '../../../src/model/state.ts';
import { hideState } from '../../../src/stack/snapshot/snapshot-text.ts';

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

test('a text that the service shows otherwise verifies a secret: it stays only where the text itself is in the snapshot', () => {
  const digests = { sent: 'd1', shown: 'd2' };
  const entry = {
    spec: { description: 'open', oidc: { client_secret: { secret: 'd3' } } },
    returnedSecrets: { '/oidc/client_secret': 'd4' },
    rewrittenTexts: { '/description': digests, '/oidc/client_secret': digests, '/gone': digests },
  };
  const state = { entries: { 'HTTPSEdge/shop': entry, 'HTTPSEdge/api': { spec: {} } } } as unknown as State;
  const { entries } = hideState(state, (text) => `digest of ${text}`);
  expect(entries['HTTPSEdge/shop']).toEqual({
    spec: { description: 'open', oidc: { client_secret: { secret: 'digest of hidden' } } },
    rewrittenTexts: { '/description': digests, '/gone': digests },
  });
  expect(entries['HTTPSEdge/api']).toEqual({ spec: {} });
});
