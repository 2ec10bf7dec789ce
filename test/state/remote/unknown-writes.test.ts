/*
 * The store carries out a write and its answer is lost. Only its own run writes with its token, so what it finds in the
 * place of that write later is its own: it goes on, and takes itself for no other run.
 */
import { expect, test } from 'vitest';
import { StateError, StoreNotAllowed } from '../../../src/diagnostics/errors.ts';
import type { StateChange } from '../../../src/model/state-change.ts';
import { machineTime } from '../../../src/state/lease/lease-time.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { emptyState, type StateStoreOptions } from '../../../src/state/store.ts';
import { until } from '../../support/until.ts';
import { backendOver, probed, skippingTime } from './backends.ts';
import { memoryStore, sharedMemory } from './memory-store.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0.1.0', command: 'apply' },
};
const down = new StateError('STORE_UNAVAILABLE', 'no answer');

/** A store that, once `loses` is set, carries out one write to such a name without an answer, and is down from then on. */
async function losingStore(): Promise<{ store: RemoteStore; loses: string | undefined; isDown: boolean }> {
  const inner = await probed(memoryStore(sharedMemory()));
  const network = { loses: undefined as string | undefined, isDown: false };
  const store: RemoteStore = {
    ...inner,
    read: (name) => (network.isDown && name !== 'lease' ? Promise.reject(down) : inner.read(name)),
    swap: async (name, ...rest) => {
      if (network.isDown && name !== 'lease') return { is: 'unknown', cause: down };
      const result = await inner.swap(name, ...rest);
      if (network.loses === undefined || !name.startsWith(network.loses)) return result;
      [network.loses, network.isDown] = [undefined, true];
      return { is: 'unknown', cause: down };
    },
  };
  return Object.assign(network, { store });
}

function creation(id: string): StateChange {
  return {
    entries: { [`ReservedAddr/${id}`]: { kind: 'ReservedAddr', id, spec: {}, protect: false, retain: false } },
    intents: {},
  };
}

test.each([
  ['journal/', 'an entry of the journal'],
  ['state', 'a state'],
])('a run whose store confirms %s only after an outage goes on, and loses no record (%s)', async (loses) => {
  const network = await losingStore();
  const timing = { timing: usualTiming, time: skippingTime(), heartbeats: machineTime };
  const backend = backendOver(network.store, timing);
  const lock = await backend.acquireLock('sluice apply');
  const state = backend.stateStore(options, lock);
  await state.load();
  const record = state.recorder(emptyState(options.lineage, options.account));
  if (loses !== 'state') await record(creation('ra_1'));
  network.loses = loses;
  await expect(record(creation('ra_2'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  network.isDown = false;
  await record(creation('ra_3'));
  expect(lock.isMine()).toBe(true);
  await state.close();
  await lock.release();
  const found = await backend.stateStore(options).load();
  expect(Object.values(found?.entries ?? {}).map(({ id }) => id)).toEqual(
    loses === 'state' ? ['ra_2', 'ra_3'] : ['ra_1', 'ra_2', 'ra_3'],
  );
});

test('a run keeps its lock if a heartbeat arrives without an answer, and the store refuses its credentials for a while', async () => {
  const inner = await probed(memoryStore(sharedMemory()));
  const refused = new StoreNotAllowed('STORE_ACCESS_DENIED', 'the token has expired', { hint: '' });
  let step: 'open' | 'loses' | 'refuses' = 'open';
  let refusals = 0;
  const store: RemoteStore = {
    ...inner,
    read: (name) => (step === 'refuses' ? Promise.reject(refused) : inner.read(name)),
    swap: async (...swap) => {
      if (step === 'refuses' && ++refusals < 3) throw refused;
      const result = await inner.swap(...swap);
      const isLost = step === 'loses';
      step = isLost ? 'refuses' : 'open';
      return isLost ? { is: 'unknown', cause: down } : result;
    },
  };
  const backend = backendOver(store, { timing: { ...usualTiming, heartbeatMs: 20 } });
  const lock = await backend.acquireLock('sluice apply');
  step = 'loses';
  await until(() => refusals >= 3 && step === 'open');
  const beats = async (): Promise<string | undefined> => (await inner.read('lease'))?.version;
  const before = await beats();
  await until(async () => (await beats()) !== before || !lock.isMine());
  expect(lock.isMine()).toBe(true);
  await lock.release();
  expect(await backend.lockHolder()).toBeUndefined();
});
