import { expect, test } from 'vitest';
import type { StateChange } from '../../src/model/state-change.ts';
import type { ExternalValue } from '../../src/model/external-values.ts';
import type { Entry, LastAccess, State } from '../../src/model/state.ts';
import { holdChanging } from '../../src/state/changing-state.ts';
import { emptyState } from '../../src/state/store.ts';

const entry = (id: string): Entry => ({ kind: 'ReservedAddr', id, spec: {}, protect: false, retain: false });
const intent = { kind: 'ReservedAddr', nonces: ['one'] };
const forgotten = { kind: 'ReservedAddr', address: 'ReservedAddr/a' };
const access: LastAccess = [];
const value = (secret: string): ExternalValue => ({
  kind: 'ReservedAddr',
  field: 'metadata',
  secret,
  from_env: 'NOTE',
});
const applied = { commit: 'a'.repeat(40), manifests: 'hash' };

const nothing: StateChange = { entries: {}, intents: {}, forgotten: {}, lastAccess: {}, externalValues: [] };
const full: State = {
  ...emptyState('st1', 'https://api.example.com'),
  salt: 'salt of the tests',
  entries: { a: entry('ra_a') },
  intents: { b: intent },
  forgotten: { ra_c: forgotten },
  lastAccess: { 'd.example.com': access },
  externalValues: [value('1')],
};

test('a state that nobody changes is whole as it was, and has no change', () => {
  const held = holdChanging({ ...full, applied });
  expect(held.whole()).toEqual({ ...full, applied });
  expect([held.untaken(), held.takeChange()]).toEqual([undefined, undefined]);
  expect(holdChanging(emptyState('st1', 'x')).whole()).toMatchObject({ entries: {}, intents: {}, externalValues: [] });
});

test('what changes is taken once, with what is gone as null', () => {
  const held = holdChanging(full);
  held.change({ entries: { a: null, x: entry('ra_x') }, intents: { b: null }, externalValues: [value('2')] });
  held.change({ entries: {}, intents: {}, forgotten: { ra_c: null }, lastAccess: { 'd.example.com': null } });
  const change = {
    entries: { a: null, x: entry('ra_x') },
    intents: { b: null },
    forgotten: { ra_c: null },
    lastAccess: { 'd.example.com': null },
    externalValues: [value('2')],
  };
  expect(held.untaken()).toEqual(change);
  expect(held.takeChange()).toEqual(change);
  expect(held.untaken()).toBeUndefined();
  held.change(nothing);
  expect(held.takeChange()).toStrictEqual(nothing);
});

test('the whole has every change, taken or not', () => {
  const held = holdChanging(full);
  held.change({ ...nothing, entries: { x: entry('ra_x') }, intents: { y: intent } });
  held.takeChange();
  held.change({
    ...nothing,
    entries: { a: null },
    forgotten: { ra_z: forgotten },
    externalValues: [value('1'), value('2')],
  });
  expect(held.whole()).toEqual({
    ...full,
    entries: { x: entry('ra_x') },
    intents: { b: intent, y: intent },
    forgotten: { ra_c: forgotten, ra_z: forgotten },
    externalValues: [value('1'), value('2')],
  });
});

test('a revision is that of the last change, and gone with a change that has none', () => {
  const held = holdChanging(full);
  held.change({ ...nothing, applied });
  expect([held.whole().applied, held.takeChange()?.applied]).toEqual([applied, applied]);
  held.change(nothing);
  expect([held.whole(), held.takeChange()]).toStrictEqual([full, nothing]);
});

test('what is taken back is no difference, whether it was taken meanwhile or not', () => {
  const held = holdChanging({ ...full, applied });
  held.change({ ...nothing, entries: { a: entry('ra_b'), x: entry('ra_x') }, applied });
  expect(held.differs()).toBe(true);
  held.takeChange();
  held.change({ ...nothing, entries: { a: entry('ra_a'), x: null }, externalValues: [value('1')], applied });
  expect(held.differs()).toBe(false);
  held.change(nothing);
  expect(held.differs()).toBe(true);
});
