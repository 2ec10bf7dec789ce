import { expect, test } from 'vitest';
import { addExternalValues, type ExternalValue } from '../../src/model/external-values.ts';
import { changeState } from '../../src/model/state-change.ts';
import { holdChanging } from '../../src/state/changing-state.ts';
import { readDocument } from '../../src/state/document.ts';
import { writeDocument } from '../support/write-document.ts';
import { journalHead, journalLine, readJournal } from '../../src/state/journal.ts';
import { emptyState } from '../../src/state/store.ts';

const value = (secret: string): ExternalValue => ({
  kind: 'ReservedAddr',
  field: 'description',
  secret,
  from_env: 'X',
});
const change = { entries: {}, intents: {}, externalValues: [value('a')] };

test('external values are kept once, and the oldest are dropped beyond 1,000', () => {
  const all = Array.from({ length: 1000 }, (_, index) => value(String(index)));
  expect(addExternalValues(all, [value('5'), value('999')])).toBe(all);
  const more = addExternalValues(all, [value('new'), value('new')]);
  expect([more.length, more[0]?.secret, more.at(-1)?.secret]).toEqual([1000, '1', 'new']);
});

test('external values of a run that was killed come back from its journal', () => {
  const state = { ...emptyState('5c1e7a90', 'https://api.example.com'), serial: 1 };
  const continued = { lineage: state.lineage, serial: 1, digest: 'x' };
  const held = holdChanging(state);
  held.change(change);
  const taken = held.takeChange();
  expect(held.takeChange()).toBeUndefined();
  const replay = readJournal(journalHead(continued) + journalLine(2, taken ?? change), continued);
  const after = replay?.changes.reduce(changeState, state) ?? state;
  expect(after.externalValues).toEqual([value('a')]);
  expect(held.whole().externalValues).toEqual([value('a')]);
  const read = readDocument(writeDocument(after, { version: '1', command: 'apply' }));
  expect(read.externalValues).toEqual([value('a')]);
});
