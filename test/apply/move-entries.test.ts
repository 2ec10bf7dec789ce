import { expect, test } from 'vitest';
import { forgetEntry, forgetOldInstances, moveEntries } from '../../src/apply/entries-in-state.ts';
import { createStateWriter } from '../../src/apply/state-writer.ts';
import { changeState } from '../../src/model/state-change.ts';
import type { Account } from '../../src/model/actual.ts';
import type { Change } from '../../src/model/plan/plan.ts';
import type { Entry, State } from '../../src/model/state.ts';
import { emptyState } from '../../src/state/store.ts';

const entry = (id: string): Entry => ({ kind: 'ReservedAddr', id, spec: {}, protect: false, retain: false });
const change = (given: Partial<Change>) => ({ kind: 'ReservedAddr', address: 'ReservedAddr/a', ...given }) as Change;
const marker = { s: 'prod/1', a: 'ReservedAddr/a', p: '', n: '0123456789ab' };

/** The state after a run has written to it. */
async function after(
  write: (writer: ReturnType<typeof createStateWriter>) => void,
  entries: State['entries'] = { 'ReservedAddr/a': entry('ra_a'), 'ReservedAddr/b': entry('ra_b') },
): Promise<State> {
  let state: State = { ...emptyState('7f3a9c21', 'embedded'), entries };
  const writer = createStateWriter(state, (made) => Promise.resolve(void (state = changeState(state, made))));
  write(writer);
  await writer.flush();
  return state;
}

test.each<[string, Partial<Change>]>([
  ['without a marker', { id: 'ra_a' }],
  ['that is no longer there', { markerBefore: marker }],
])('a released resource %s is only dropped', async (_, given) => {
  const { entries, forgotten = {} } = await after((writer) => forgetEntry(change(given), writer));
  expect([Object.keys(entries), forgotten]).toEqual([['ReservedAddr/b'], {}]);
});

test('a released resource that keeps its marker is remembered as given up', async () => {
  const { entries, forgotten } = await after((writer) =>
    forgetEntry(change({ id: 'ra_a', markerBefore: marker }), writer),
  );
  expect(Object.keys(entries)).toEqual(['ReservedAddr/b']);
  expect(forgotten).toEqual({ ra_a: { kind: 'ReservedAddr', address: 'ReservedAddr/a' } });
});

test('two resources that take the address of one another are each remembered by the new one', async () => {
  const { entries } = await after((writer) =>
    moveEntries(
      [
        change({ id: 'ra_b', movedFrom: 'ReservedAddr/b' }),
        change({ address: 'ReservedAddr/b', id: 'ra_a', movedFrom: 'ReservedAddr/a' }),
      ],
      writer,
    ),
  );
  expect(entries).toEqual({ 'ReservedAddr/a': entry('ra_b'), 'ReservedAddr/b': entry('ra_a') });
});

test('what another resource is remembered by does not move', async () => {
  const { entries } = await after((writer) =>
    moveEntries([change({ address: 'ReservedAddr/c', id: 'ra_x', movedFrom: 'ReservedAddr/b' })], writer),
  );
  expect(Object.keys(entries)).toEqual(['ReservedAddr/a', 'ReservedAddr/b']);
});

test('what is remembered by no address does not move', async () => {
  const { entries } = await after((writer) =>
    moveEntries([change({ address: 'ReservedAddr/c', id: 'ra_c', movedFrom: 'ReservedAddr/d' })], writer),
  );
  expect(Object.keys(entries)).toEqual(['ReservedAddr/a', 'ReservedAddr/b']);
});

test('an earlier address that another resource gets is no longer one of a resource that the run leaves as it is', async () => {
  const renamed = { ...entry('ra_b'), formerAddresses: ['ReservedAddr/c', 'ReservedAddr/a'] };
  const { entries } = await after((writer) => moveEntries([change({ action: 'create' })], writer), {
    'ReservedAddr/b': renamed,
  });
  expect(entries).toEqual({ 'ReservedAddr/b': { ...renamed, formerAddresses: ['ReservedAddr/c'] } });
});

test('old instances that are gone are removed from state, and what has lost none is not recorded again', async () => {
  const recorded: unknown[] = [];
  const withOld = (id: string, ...deposed: string[]): Entry => ({ deposed, ...entry(id) });
  const state = {
    ...emptyState('7f3a9c21', 'embedded'),
    entries: {
      'ReservedAddr/a': withOld('ra_a', 'ra_old'),
      'ReservedAddr/b': withOld('ra_b', 'ra_older', 'ra_old'),
      'HTTPSEdge/shop': { ...withOld('edghts_1', 'edghts_0'), kind: 'HTTPSEdge' },
    },
  };
  const writer = createStateWriter(state, (made) => Promise.resolve(void recorded.push(made)));
  const left = { actual: { id: 'ra_old' } } as NonNullable<Account['deposed']>[number];
  forgetOldInstances({ complete: new Set(['ReservedAddr']), deposed: [left] }, writer);
  await writer.flush();
  expect(recorded).toEqual([
    expect.objectContaining({ entries: { 'ReservedAddr/b': { ...entry('ra_b'), deposed: ['ra_old'] } } }),
  ]);
});
