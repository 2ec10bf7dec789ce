import { expect, test } from 'vitest';
import type { Backend } from '../../../src/state/backend.ts';
import { SluiceError, StoreNotAllowed } from '../../../src/diagnostics/errors.ts';
import type { StateChange } from '../../../src/model/state-change.ts';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { machineTime, type LeaseTime } from '../../../src/state/lease/lease-time.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import { leaseBytes, leaseIn, type LeaseRecord } from '../../../src/state/remote/lease-record.ts';
import { sealJournals } from '../../../src/state/remote/stored-state.ts';
import { backendOver, probed, skippingTime } from './backends.ts';
import { memoryStore, sharedMemory, type SharedMemory } from './memory-store.ts';
import { notingTime } from './noting-time.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0.1.0', command: 'apply' },
};

async function applied(backend: Backend): Promise<void> {
  const lock = await backend.acquireLock('sluice apply');
  const store = backend.stateStore(options, lock);
  const state = (await store.load()) ?? emptyState(options.lineage, options.account);
  await store.save(state);
  await store.close();
  await lock.release();
}

function leaseOf(memory: SharedMemory): LeaseRecord {
  return leaseIn(memory.objects.get('lease')!.bytes, 'memory');
}

test('a state that is gone is lost, and never a first run', async () => {
  const memory = sharedMemory();
  const backend = backendOver(memoryStore(memory));
  await applied(backend);
  await applied(backend);
  memory.objects.delete('state');
  const lost = { code: 'STATE_LOST', hint: expect.stringContaining('the newest backup is backups/') as string };
  await expect(backend.stateStore(options).load()).rejects.toMatchObject(lost);
  const lock = await backend.acquireLock('sluice apply');
  await expect(backend.stateStore(options, lock).load()).rejects.toMatchObject(lost);
  await lock.release();
});

test('so is one that is older than the lease says', async () => {
  const memory = sharedMemory();
  const backend = backendOver(memoryStore(memory));
  await applied(backend);
  const before = memory.objects.get('state');
  await applied(backend);
  if (before !== undefined) memory.objects.set('state', before);
  await expect(backend.stateStore(options).load()).rejects.toMatchObject({ code: 'STATE_LOST' });
});

test('so is another one with the serial that the lease says', async () => {
  const memory = sharedMemory();
  const backend = backendOver(memoryStore(memory));
  await applied(backend);
  const [lease, { state }] = [memory.objects.get('lease'), leaseOf(memory)];
  if (lease === undefined || state === null) throw new Error('nothing was written');
  const other = { ...leaseOf(memory), state: { ...state, digest: '0'.repeat(state.digest.length) } };
  memory.objects.set('lease', { ...lease, bytes: leaseBytes(other) });
  await expect(backend.stateStore(options).load()).rejects.toMatchObject({ code: 'STATE_LOST' });
});

test('a state that the lease does not know of yet is accepted', async () => {
  const memory = sharedMemory();
  const backend = backendOver(memoryStore(memory));
  await applied(backend);
  const { state } = leaseOf(memory);
  await applied(backend);
  memory.objects.set('lease', { bytes: leaseBytes({ ...leaseOf(memory), state }), version: 'stale' });
  await applied(backend);
  expect((await backend.stateStore(options).load())?.serial).toBe(3);
});

test('after a promotion of a replica, a lease that looks free is taken once its duration is over', async () => {
  const memory = sharedMemory();
  const backend = backendOver(memoryStore(memory), { time: skippingTime(), heartbeats: machineTime });
  await applied(backend);
  memory.timeline = '2';
  const waits: string[] = [];
  const lock = await backend.acquireLock('sluice apply', { onWait: (holder) => waits.push(holder) });
  expect(waits).toEqual(['an unknown run (the store lost the record of that run)']);
  await lock.release();
});

test('a store that accepts heartbeats and nothing else is unavailable after two durations', async () => {
  const memory = sharedMemory();
  const inner = await probed(memoryStore(memory));
  let tries = 0;
  const store: typeof inner = {
    ...inner,
    swap: (name, ...rest) =>
      name === 'lease' || ++tries > 2_000
        ? inner.swap(name, ...rest)
        : Promise.resolve({ is: 'unknown', cause: new Error('no space left on device') }),
  };
  const backend = backendOver(store, { timing: usualTiming, time: skippingTime(), heartbeats: machineTime });
  const lock = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, lock);
  await state.load();
  await expect(state.save(emptyState(options.lineage, options.account))).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('no space left on device') as string,
  });
  await lock.release();
});

test('everything that could not be recorded is named, with its id', async () => {
  const inner = await probed(memoryStore(sharedMemory()));
  let isDown = false;
  const cause = new Error('no answer');
  const store: typeof inner = {
    ...inner,
    swap: (name, ...rest) =>
      isDown && name !== 'lease' ? Promise.resolve({ is: 'unknown', cause }) : inner.swap(name, ...rest),
  };
  const backend = backendOver(store, { timing: usualTiming, time: skippingTime(), heartbeats: machineTime });
  const lock = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, lock);
  await state.load();
  const record = state.recorder(emptyState(options.lineage, options.account));
  const creation = (id: string): StateChange => ({
    entries: { [`ReservedAddr/${id}`]: { kind: 'ReservedAddr', id, spec: {}, protect: false, retain: false } },
    intents: {},
  });
  await record(creation('ra_1'));
  isDown = true;
  const [second, third] = [record(creation('ra_2')), record(creation('ra_3'))];
  const message = expect.stringMatching(
    /resources not recorded in the state: ReservedAddr\/ra_2 \(ra_2\), ReservedAddr\/ra_3 \(ra_3\)$/,
  ) as string;
  const hint = expect.stringContaining('run the command again') as string;
  await expect(second).rejects.toMatchObject({ message, hint });
  await expect(third).rejects.toMatchObject({ message });
  await expect(record({ entries: { 'ReservedAddr/ra_1': null }, intents: {} })).rejects.toMatchObject({
    message: expect.stringMatching(
      /resources not recorded in the state: ReservedAddr\/ra_2 \(ra_2\), ReservedAddr\/ra_3 \(ra_3\)$/,
    ) as string,
  });
  const fourth = record(creation('ra_4'));
  await expect(fourth).rejects.toMatchObject({
    message: expect.stringContaining('ra_3 (ra_3), ReservedAddr/ra_4') as string,
  });
  await state.close();
  await lock.release();
});

test('it is named, too, where the store refuses to record it', async () => {
  const inner = await probed(memoryStore(sharedMemory()));
  const refusal: { now?: SluiceError } = {};
  const store: typeof inner = {
    ...inner,
    swap: (...given) => (refusal.now === undefined ? inner.swap(...given) : Promise.reject(refusal.now)),
  };
  const backend = backendOver(store, { timing: usualTiming });
  const held = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, held);
  await state.load();
  const record = state.recorder(emptyState(options.lineage, options.account));
  const entry = { kind: 'ReservedAddr', id: 'ra_1', spec: {}, protect: false, retain: false };
  await record({ entries: { 'ReservedAddr/ra_0': entry }, intents: {} });
  refusal.now = new StoreNotAllowed('STORE_ACCESS_DENIED', 'refused', { hint: 'check the key' });
  const error: unknown = await record({ entries: { 'ReservedAddr/ra_1': entry }, intents: {} }).catch(
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(StoreNotAllowed);
  expect(error).toMatchObject({
    code: 'STORE_ACCESS_DENIED',
    hint: 'check the key',
    message: 'refused; resources not recorded in the state: ReservedAddr/ra_1 (ra_1)',
  });
  await held.release();
});

test('a run whose main thread hangs for five minutes sends no more heartbeats', async () => {
  const inner = await probed(memoryStore(sharedMemory()));
  let heartbeats = 0;
  const store: typeof inner = {
    ...inner,
    swap: (...swap) => {
      heartbeats += 1;
      return inner.swap(...swap);
    },
  };
  const hanging: LeaseTime = { ...skippingTime(), every: () => () => undefined };
  const began = hanging.now().monotonic;
  const lock = await backendOver(store, { timing: usualTiming, time: hanging }).acquireLock('sluice apply');
  for (let before = -1, tries = 0; before !== heartbeats && tries < 20; tries++) {
    before = heartbeats;
    for (let turns = 0; turns < 500; turns++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(hanging.now().monotonic - began).toBeGreaterThan(300_000);
  expect(heartbeats).toBeLessThan(35);
  await lock.release();
});

test('a run that is cancelled waits three seconds in all for a store that gives no answer', async () => {
  const inner = await probed(memoryStore(sharedMemory()));
  const silent = new Promise<never>(() => undefined);
  const store: typeof inner = {
    ...inner,
    swap: (name, ...rest) => (name === 'lease' ? inner.swap(name, ...rest) : silent),
  };
  const time = notingTime();
  const backend = backendOver(store, { timing: usualTiming, time, heartbeats: machineTime });
  const cancelled = new AbortController();
  const lock = await backend.acquireLock('sluice apply', { signal: cancelled.signal });
  const state = backend.stateStore(options, lock);
  await state.load();
  const saved = state.save(emptyState(options.lineage, options.account));
  cancelled.abort();
  await expect(saved).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringContaining('the store did not respond before the run was cancelled') as string,
  });
  expect(time.slept).toEqual([3_000]);
  // A second write is not waited for at all.
  await expect(state.save(emptyState(options.lineage, options.account))).rejects.toThrow(SluiceError);
  expect(time.slept).toEqual([3_000]);
  await state.close();
  await lock.release();
});

test('what a newer sluice wrote is not touched', async () => {
  const memory = sharedMemory();
  const backend = backendOver(memoryStore(memory));
  await applied(backend);
  for (const [name, text] of [
    ['lease', '{"lease":2}'],
    ['state', '{"stored_state":2}\n'],
  ] as const) {
    const before = memory.objects.get(name);
    memory.objects.set(name, { bytes: Buffer.from(text), version: 'newer' });
    await expect(backend.stateStore(options).load()).rejects.toMatchObject({ code: 'STATE_TOO_NEW' });
    const damaged = { bytes: Buffer.from(text.replace('2', '"2"')), version: 'damaged' };
    memory.objects.set(name, damaged);
    await expect(backend.stateStore(options).load()).rejects.toMatchObject({
      code: expect.stringMatching(/^(STATE|LEASE)_DAMAGED$/) as string,
    });
    if (before !== undefined) memory.objects.set(name, before);
  }
});

test('a run that seals journals after another one has taken its lease ends, and does not try for ever', async () => {
  const store = { ...memoryStore(sharedMemory()), swap: () => Promise.resolve({ is: 'conflict' as const }) };
  const seals = { token: 'taken over', time: machineTime, mayGoOn: () => true };
  const lease = { state: null, folded_through: 0 };
  await expect(sealJournals(store, { lease, upTo: 2, seals })).rejects.toMatchObject({ code: 'LOCK_LOST' });
});
