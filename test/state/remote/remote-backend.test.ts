import { expect, test } from 'vitest';
import type { StateChange } from '../../../src/model/state-change.ts';
import type { Backend } from '../../../src/state/backend.ts';
import { machineTime } from '../../../src/state/lease/lease-time.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import { leaseBytes, leaseIn, type LeaseRecord } from '../../../src/state/remote/lease-record.ts';
import { changeBytes } from '../../../src/state/remote/journal-entry.ts';
import { stateObjectIn } from '../../../src/state/remote/state-object.ts';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { backendOver, probed, skippingTime } from './backends.ts';
import { memoryStore, sharedMemory, type SharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0.1.0', command: 'apply' },
};

const noon = new Date('2026-01-02T12:00:00Z');

/** A backend whose heartbeats come in real time, so that none is sent while a test runs. */
function quietBackend(memory: SharedMemory): Backend {
  return backendOver(memoryStore(memory), { timing: usualTiming, time: skippingTime(), heartbeats: machineTime });
}

async function begun(): Promise<{ readonly memory: SharedMemory; readonly backend: Backend }> {
  const memory = sharedMemory();
  await probed(memoryStore(memory));
  return { memory, backend: quietBackend(memory) };
}

function made(name: string): StateChange {
  const entry = { kind: 'ReservedAddr', id: `ra_${name}`, spec: {}, protect: false, retain: false };
  return { entries: { [`ReservedAddr/${name}`]: entry }, intents: {} };
}

/** A run that records changes one by one; without an end it leaves them in the journal. */
async function recorded(
  backend: Backend,
  names: readonly string[],
  { ends, at = noon }: { readonly ends: boolean; readonly at?: Date },
) {
  const lock = await backend.acquireLock('sluice apply');
  const store = backend.stateStore({ ...options, now: () => at }, lock);
  const record = store.recorder((await store.load()) ?? emptyState(options.lineage, options.account));
  for (const name of names) await record(made(name));
  if (ends) await store.close();
  await lock.release();
}

function lease(memory: SharedMemory): LeaseRecord {
  return leaseIn(memory.objects.get('lease')!.bytes, 'memory');
}

function namesOf(memory: SharedMemory, prefix: string): readonly string[] {
  return [...memory.objects.keys()].filter((name) => name.startsWith(prefix)).sort();
}

test('without the lock, a state is neither moved, set aside, written nor given a record of a run', async () => {
  const { memory, backend } = await begun();
  const lost = { code: 'LOCK_LOST' };
  const lock = await backend.acquireLock('sluice apply');
  await lock.release();
  await expect(backend.setAside(new Date())).rejects.toMatchObject(lost);
  await expect(backend.moveAway('s3://new/place', options)).rejects.toMatchObject(lost);
  const store = backend.stateStore(options);
  await expect(store.save(emptyState(options.lineage, options.account))).rejects.toMatchObject(lost);
  await expect(store.recorder(emptyState(options.lineage, options.account))(made('a'))).rejects.toMatchObject(lost);
  const possible = { interrupted: false, requests: 1, done: {}, changes: [], omitted: 0 };
  const endings = { done: 0, failed: 0, unknown: 0, skipped: 0, 'not-started': 0 };
  const planned = { commit: 'aaaaaaa', planText: '' };
  expect(await backend.beginRun({ planned, possible: { ...possible, endings } })).toBeUndefined();
  expect([...memory.objects.keys()].sort()).toEqual(['lease', 'probe']);
});

test('a run that ends in order leaves a state with its whole journal in it, and reports that in the lease', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a', 'b'], { ends: true });
  expect(namesOf(memory, 'journal/')).toEqual([]);
  expect(lease(memory)).toMatchObject({ token: null, owner: null, fence: 1, folded_through: 1, state: { serial: 3 } });
  expect(stateObjectIn(memory.objects.get('state')!.bytes, 'memory').head).toEqual({
    fence: 1,
    folded: { fence: 1, entry: 1 },
  });
  expect((await backend.stateStore(options).load())?.serial).toBe(3);
});

test('a run that leaves a journal has it sealed and put into the state by the next one', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a', 'b', 'c'], { ends: false });
  expect(namesOf(memory, 'journal/')).toEqual(['journal/1-1', 'journal/1-2']);
  expect(lease(memory)).toMatchObject({ fence: 1, folded_through: 0, state: { serial: 1 } });
  expect((await backend.stateStore(options).load())?.serial).toBe(3);
  await recorded(backend, [], { ends: true });
  expect(namesOf(memory, 'journal/')).toEqual(['journal/1-3']);
  expect(Object.keys((await backend.stateStore(options).load())?.entries ?? {})).toHaveLength(3);
  expect(lease(memory)).toMatchObject({ fence: 2, folded_through: 2, state: { serial: 4 } });
  expect(stateObjectIn(memory.objects.get('state')!.bytes, 'memory').head.folded).toEqual({ fence: 2, entry: 0 });
});

test('a state that is set aside leaves the journals of earlier runs sealed, and that of its own run open', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a', 'b', 'c'], { ends: false });
  const lock = await backend.acquireLock('sluice state rebuild');
  const aside = await backend.setAside(new Date('2026-01-02T12:00:00Z'));
  expect(aside).toBe('memory, unreadable/20260102T120000000Z');
  expect(namesOf(memory, 'journal/')).toEqual(['journal/1-1', 'journal/1-2', 'journal/1-3']);
  expect(namesOf(memory, 'unreadable/')).toHaveLength(1);
  expect(await backend.stateStore(options, lock).load()).toBeUndefined();
  await lock.release();
});

test('each run that changes the state keeps one backup, and the ten newest are kept', async () => {
  const { memory, backend } = await begun();
  for (let run = 0; run < 12; run++)
    await recorded(backend, [`a${run}`, `b${run}`], { ends: true, at: new Date(noon.getTime() + run * 1_000) });
  // It records what the state has already.
  await recorded(backend, ['b11'], { ends: true, at: new Date(noon.getTime() + 20_000) });
  const kept = namesOf(memory, 'backups/').map((name) => name.split('.').at(-1));
  expect(kept).toEqual(['3', '4', '5', '6', '7', '8', '9', '10', '11', '12']);
});

test('a lock reports whether it is held, may write, and is cut off from its store', async () => {
  const { backend } = await begun();
  const lock = await backend.acquireLock('sluice apply');
  const facts = () => [lock.isMine(), lock.mayWrite(), lock.isCutOff?.()];
  expect(facts()).toEqual([true, true, false]);
  await lock.untilMayWrite();
  await lock.release();
  await lock.release();
  expect(facts()).toEqual([false, false, false]);
  await expect(lock.untilMayWrite()).rejects.toMatchObject({ code: 'LOCK_LOST' });
});

test('the holder of a lock is named as the lease names it, be it without a name', async () => {
  const { memory, backend } = await begun();
  expect(await backend.lockHolder()).toBeUndefined();
  const lock = await backend.acquireLock('sluice apply');
  expect((await backend.lockHolder())?.text).toMatch(/^`sluice apply` of ada on runner \(process 1, since /);
  memory.objects.set('lease', { bytes: leaseBytes({ ...lease(memory), owner: null }), version: 'other' });
  expect(await backend.lockHolder()).toMatchObject({ text: undefined });
  await lock.release();
  await (await backend.lockHolder())?.release({ now: true });
  expect(await backend.lockHolder()).toBeUndefined();
});

test('a run that reads its state again finds what it has recorded, and writes nothing', async () => {
  const { memory, backend } = await begun();
  const lock = await backend.acquireLock('sluice apply');
  const store = backend.stateStore(options, lock);
  await store.load();
  const record = store.recorder(emptyState(options.lineage, options.account));
  for (const name of ['a', 'b', 'c']) await record(made(name));
  const before = memory.versions;
  expect(Object.keys((await store.load())?.entries ?? {})).toHaveLength(3);
  expect(memory.versions).toBe(before);
  await record(made('d'));
  expect(namesOf(memory, 'journal/')).toEqual(['journal/1-1', 'journal/1-2', 'journal/1-3']);
  await store.close();
  await lock.release();
});

test('after a run that ended before it read the state, the next one begins with an empty state', async () => {
  const { memory, backend } = await begun();
  await (await backend.acquireLock('sluice apply')).release();
  expect(lease(memory)).toMatchObject({ fence: 1, folded_through: 0, state: null });
  const lock = await backend.acquireLock('sluice apply');
  expect(await backend.stateStore(options, lock).load()).toMatchObject({ serial: 1, entries: {} });
  await lock.release();
  expect(lease(memory)).toMatchObject({ fence: 2, folded_through: 2, state: { serial: 1 } });
});

test('a lease that was lost is made again with a fence above that of the state', async () => {
  const { memory, backend } = await begun();
  for (const name of ['a', 'b', 'c']) await recorded(backend, [name], { ends: true });
  memory.objects.delete('lease');
  const lock = await backend.acquireLock('sluice apply');
  expect(lease(memory).fence).toBe(4);
  await lock.release();
});

test('the lock of a run that was killed is released after its duration, where a person does not say now', async () => {
  const { memory, backend } = await begun();
  await backend.acquireLock('sluice apply');
  const time = notingTime();
  const another = backendOver(memoryStore(memory), { timing: usualTiming, time });
  await (await another.lockHolder())?.release();
  expect([time.now().monotonic, lease(memory).token]).toEqual([usualTiming.durationMs, null]);
});

test('a lock record that is damaged can be released, and the next run goes on with the state', async () => {
  const { memory, backend } = await begun();
  for (const name of ['a', 'b', 'c']) await recorded(backend, [name], { ends: true });
  const { bytes } = memory.objects.get('lease')!;
  memory.objects.set('lease', { bytes: bytes.subarray(0, 100), version: 'damaged' });
  await expect(backend.acquireLock('sluice apply')).rejects.toMatchObject({ code: 'LEASE_DAMAGED' });
  const time = notingTime();
  const another = backendOver(memoryStore(memory), { timing: usualTiming, time });
  const holder = await another.lockHolder();
  expect(holder?.text).toBe('an unknown run (the lock record cannot be read)');
  await holder?.release();
  expect([time.now().monotonic, lease(memory)]).toEqual([
    usualTiming.durationMs,
    expect.objectContaining({ token: null, owner: null, fence: 4 }),
  ]);
  expect(await another.lockHolder()).toBeUndefined();
  await recorded(backend, ['d'], { ends: true });
  expect(Object.keys((await backend.stateStore(options).load())?.entries ?? {})).toHaveLength(4);
});

test('a damaged lock record that a person releases does not make a state that is gone a first run', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a'], { ends: true });
  memory.objects.set('lease', { bytes: Buffer.from('{'), version: 'damaged' });
  memory.objects.delete('state');
  await (await backend.lockHolder())?.release({ now: true });
  const lock = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject({ code: 'STATE_LOST' });
  await lock.release();
});

test('a lock record and a state that are both damaged can be released, and the state be set aside', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a'], { ends: true });
  for (const name of ['lease', 'state']) memory.objects.set(name, { bytes: Buffer.from('{\n'), version: name });
  await (await backend.lockHolder())?.release({ now: true });
  expect(await backend.lockHolder()).toBeUndefined();
  const lock = await backend.acquireLock('sluice state rebuild');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject({ code: 'STATE_DAMAGED' });
  expect(await backend.setAside(noon)).toBe('memory, unreadable/20260102T120000000Z');
  await lock.release();
});

test('a lock record that changes while a person waits for its end is in use', async () => {
  const { memory, backend } = await begun();
  await (await backend.acquireLock('sluice apply')).release();
  const damage = (): void =>
    void memory.objects.set('lease', { bytes: Buffer.from('{'), version: String(Math.random()) });
  damage();
  const another = backendOver(memoryStore(memory), { timing: usualTiming, time: notingTime(damage) });
  await expect((await another.lockHolder())?.release()).rejects.toMatchObject({ code: 'LOCK_HELD' });
});

test('a lock record that is older than the state is released with a fence above that of the state', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a'], { ends: true });
  const old = memory.objects.get('lease')!;
  for (const name of ['b', 'c', 'd']) await recorded(backend, [name], { ends: true });
  memory.objects.set('lease', old);
  const lock = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject({ code: 'LEASE_OUTDATED' });
  await lock.release();
  const holder = await backend.lockHolder();
  expect(holder?.text).toBe('an unknown run (the lock record is older than the state)');
  await holder?.release({ now: true });
  expect(lease(memory)).toMatchObject({ token: null, fence: 5 });
  await recorded(backend, ['e'], { ends: true });
  expect(Object.keys((await backend.stateStore(options).load())?.entries ?? {})).toHaveLength(5);
});

test('a lock record that is one run older than the state is used by no run: what it recorded would count as known', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a'], { ends: true });
  const old = memory.objects.get('lease')!;
  await recorded(backend, ['b', 'c'], { ends: true });
  memory.objects.set('lease', old);
  const lock = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject({
    code: 'LEASE_OUTDATED',
    hint: 'the store was restored from a backup: make sure that no run is active, then run the command again',
  });
  await lock.release();
  expect(await backend.lockHolder()).toBeUndefined();
  await recorded(backend, ['d'], { ends: true });
  expect(Object.keys((await backend.stateStore(options).load())?.entries ?? {})).toHaveLength(4);
});

test('a run that writes the state after a lock record was read does not make the record older than the state', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a'], { ends: true });
  const inner = memoryStore(memory);
  let isFirst = true;
  const another = backendOver({
    ...inner,
    read: async (name) => {
      if (name === 'state' && isFirst) {
        isFirst = false;
        await recorded(backend, ['b'], { ends: true });
      }
      return inner.read(name);
    },
  });
  expect(await another.lockHolder()).toBeUndefined();
});

test('the record of a run has its end, although the answer to its beginning was lost', async () => {
  const { memory } = await begun();
  const inner = memoryStore(memory);
  let isLost = true;
  const backend = backendOver({
    ...inner,
    swap: async (name, ...given) => {
      const answer = await inner.swap(name, ...given);
      if (!name.startsWith('runs/') || !isLost) return answer;
      isLost = false;
      return { is: 'unknown', cause: new Error('no answer') };
    },
  });
  const lock = await backend.acquireLock('sluice apply');
  const endings = { done: 1, failed: 0, unknown: 0, skipped: 0, 'not-started': 0 };
  const done = { interrupted: false, requests: 1, done: {}, changes: [], omitted: 0, endings };
  const end = await backend.beginRun({ planned: {}, possible: done });
  await end?.(done);
  expect(await backend.runs(10)).toMatchObject([{ ended: expect.any(String) as string }]);
  await lock.release();
});

test('a state that was written while it was to be removed stays in the lock record', async () => {
  const { memory, backend } = await begun();
  await (await backend.acquireLock('sluice apply')).release();
  await recorded(backend, [], { ends: true });
  const state = memory.objects.get('state')!;
  const inner = memoryStore(memory);
  let reads = 0;
  const other = backendOver({
    ...inner,
    read: (name) => {
      if (name === 'state' && ++reads === 2) memory.objects.set('state', { ...state, version: 'later' });
      return inner.read(name);
    },
  });
  await expect(other.removeAll(options, {})).rejects.toMatchObject({ code: 'LOCK_LOST' });
  expect(lease(memory)).toMatchObject({ token: null, state: { serial: expect.any(Number) as number } });
});

test('a state that is damaged is an error that names the store and what to do', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a', 'b'], { ends: true });
  const { bytes, version } = memory.objects.get('state')!;
  const damaged = Buffer.from(Buffer.from(bytes).toString('utf8').replace('"ra_a"', '"ra_x"'));
  memory.objects.set('state', { bytes: damaged, version });
  await expect(backend.stateStore(options).load()).rejects.toMatchObject({
    code: 'STATE_DAMAGED',
    message: 'memory: the state cannot be read: the checksum does not match: the file was truncated, damaged or edited',
    hint: 'the newest backup is backups/20260102T120000000Z.2.1.1; run `sluice state rebuild` to rebuild the state from the ownership markers',
  });
});

test('a backend that is closed has closed its store', async () => {
  let isClosed = false;
  const store = memoryStore(sharedMemory());
  const close = (): Promise<void> => {
    isClosed = true;
    return Promise.resolve();
  };
  await backendOver({ ...store, close }).close();
  expect(isClosed).toBe(true);
});

test('a run that waits for the lock ends when it is interrupted', async () => {
  const { memory, backend } = await begun();
  await backend.acquireLock('sluice apply');
  const interrupted = new AbortController();
  const waiting = backendOver(memoryStore(memory)).acquireLock('sluice destroy', {
    patience: 10_000,
    signal: interrupted.signal,
    onWait: () => interrupted.abort(),
  });
  await expect(waiting).rejects.toMatchObject({ code: 'INTERRUPTED' });
});

test('a state that was moved away is reported as such to a run that does not move it back, though that has the lease', async () => {
  const { memory, backend } = await begun();
  await recorded(backend, ['a'], { ends: true });
  const lock = await backend.acquireLock('sluice state push');
  await backend.stateStore(options, lock).load();
  await backend.moveAway('s3://new/place', options);
  // A run that is killed now has not noted it in the lease.
  await expect(quietBackend(memory).mustBeHere()).rejects.toMatchObject({ code: 'STATE_MOVED' });
  await lock.release();
  const back = await backend.acquireLock('sluice state pull', { isDestination: true });
  await expect(backend.stateStore(options, back).load()).rejects.toMatchObject({ code: 'STATE_MOVED' });
  await back.release();
});

test('a journal without any state before it is no first run: its state is lost', async () => {
  const { memory, backend } = await begun();
  const bytes = changeBytes({ fence: 1, entry: 1 }, 2, made('a'));
  memory.objects.set('journal/1-1', { bytes, version: 'v' });
  const lock = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject({
    code: 'STATE_LOST',
    message: 'the journal in memory does not match any state in the store',
  });
  await lock.release();
});
