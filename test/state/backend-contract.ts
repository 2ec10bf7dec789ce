import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LockHeld, SluiceError } from '../../src/diagnostics/errors.ts';
import type { Entry, State } from '../../src/model/state.ts';
import type { Backend } from '../../src/state/backend.ts';
import { emptyState, type StateStoreOptions } from '../../src/state/store.ts';
import { until } from '../support/until.ts';

const options: StateStoreOptions = {
  lineage: '5c1e7a90',
  account: 'https://api.example.com',
  writer: { version: '0.1.0', command: 'apply' },
};

/** What one backend must do like every other. `another` opens the same memory as a process elsewhere would. */
export function describeBackend(
  name: string,
  begin: () => Promise<{ readonly another: () => Promise<Backend> }>,
  skip = false,
): void {
  async function opened(): Promise<readonly [Backend, Backend]> {
    const { another } = await begin();
    const both = [await another(), await another()] as const;
    onTestFinished(async () => {
      for (const one of both) await one.close();
    });
    return both;
  }

  describe.skipIf(skip)(`what a stack remembers in ${name}`, () => {
    test('is nothing at first', async () => {
      const [here] = await opened();
      expect(await here.stateStore(options).load()).toBeUndefined();
      expect(await here.lockHolder()).toBeUndefined();
      expect(await here.document('watch-requests').read()).toMatchObject({ code: 'FILE_NOT_FOUND' });
    });

    test('is read elsewhere as it was saved', async () => {
      const [here, elsewhere] = await opened();
      await write(here, (store) => store.save(stateOf('a', 'b')));
      expect(namesIn(await elsewhere.stateStore(options).load())).toEqual(['ReservedAddr/a', 'ReservedAddr/b']);
    });

    test('has each recorded change before its run ends, whether the run ends well or not', async () => {
      const [here, elsewhere] = await opened();
      const lock = await here.acquireLock('sluice apply');
      const store = here.stateStore(options, lock);
      await store.load();
      const record = store.recorder(stateOf());
      await Promise.all(['a', 'b', 'c'].map((one) => record(made(one))));
      await record({ entries: { 'ReservedAddr/b': null }, intents: {} });
      expect(namesIn(await elsewhere.stateStore(options).load())).toEqual(['ReservedAddr/a', 'ReservedAddr/c']);
      await store.close();
      await lock.release();
      expect(namesIn(await elsewhere.stateStore(options).load())).toEqual(['ReservedAddr/a', 'ReservedAddr/c']);
    });

    test('has each change of those that come while others are being written', async () => {
      const [here, elsewhere] = await opened();
      const bursts = Array.from({ length: 8 }, (_, n) => Array.from({ length: n + 1 }, (_, m) => `${n}${m}`));
      await write(here, async (store) => {
        const record = store.recorder(stateOf());
        const records: Promise<void>[] = [];
        for (const burst of bursts) {
          for (const name of burst) {
            records.push(record(made(name)));
            await Promise.resolve();
          }
          await turn();
        }
        await Promise.all(records);
        const found = namesIn(await elsewhere.stateStore(options).load());
        expect(found).toEqual(bursts.flat().map((name) => `ReservedAddr/${name}`));
      });
    });

    test('counts on with every write', async () => {
      const [here, elsewhere] = await opened();
      await write(here, (store) => store.save(stateOf('a')));
      const first = (await here.stateStore(options).load())?.serial ?? 0;
      await write(elsewhere, async (store) => {
        const record = store.recorder((await store.load()) ?? stateOf());
        await record(made('b'));
        await record(made('c'));
      });
      expect((await here.stateStore(options).load())?.serial).toBeGreaterThan(first);
    });

    test('is refused to another stack and account', async () => {
      const [here] = await opened();
      await write(here, (store) => store.save(stateOf('a')));
      const others = [
        { ...options, lineage: '0badcafe' },
        { ...options, account: 'https://other.example.com' },
      ];
      for (const outsider of others)
        await expect(here.stateStore(outsider).load()).rejects.toMatchObject({
          code: expect.stringMatching(/^STATE_(STACK|ACCOUNT)_MISMATCH$/) as string,
        });
      const lock = await here.acquireLock('sluice apply');
      for (const outsider of others)
        await expect(here.stateStore(outsider, lock).load()).rejects.toMatchObject({
          code: expect.stringMatching(/^STATE_(STACK|ACCOUNT)_MISMATCH$/) as string,
        });
      await lock.release();
    });

    test('is locked for one at a time, and the other learns by whom', async () => {
      const [here, elsewhere] = await opened();
      const lock = await here.acquireLock('sluice apply');
      expect(lock.isMine()).toBe(true);
      await expect(elsewhere.acquireLock('sluice apply')).rejects.toThrow(LockHeld);
      await expect(elsewhere.acquireLock('sluice apply')).rejects.toThrow('the stack is locked by `sluice apply`');
      expect((await elsewhere.lockHolder())?.text).toContain('`sluice apply`');
      await lock.release();
      expect(await elsewhere.lockHolder()).toBeUndefined();
      await (await elsewhere.acquireLock('sluice apply')).release();
    });

    test('is waited for as long as the caller allows', async () => {
      const [here, elsewhere] = await opened();
      const lock = await here.acquireLock('sluice apply');
      const waits: string[] = [];
      const other = elsewhere.acquireLock('sluice apply', { patience: 60_000, onWait: (who) => waits.push(who) });
      await until(() => waits.length > 0);
      await lock.release();
      expect((await other).isMine()).toBe(true);
      await (await other).release();
    });

    test('is lost to a holder whose lock a person has released, and it overwrites nothing', async () => {
      const [here, elsewhere] = await opened();
      const lock = await here.acquireLock('sluice apply');
      const store = here.stateStore(options, lock);
      await store.load();
      const record = store.recorder(stateOf());
      await record(made('a'));
      await (await elsewhere.lockHolder())?.release({ now: true });
      await write(elsewhere, async (other) => {
        const next = other.recorder((await other.load()) ?? stateOf());
        await next(made('b'));
      });
      await expect(record(made('c'))).rejects.toThrow(SluiceError);
      await until(() => !lock.isMine());
      await store.close().catch(() => undefined);
      await lock.release();
      expect(namesIn(await elsewhere.stateStore(options).load())).toEqual(['ReservedAddr/a', 'ReservedAddr/b']);
    });

    test('keeps what its runs did, newest first, for everybody to read', async () => {
      const [here, elsewhere] = await opened();
      const endings = { done: 1, failed: 0, unknown: 0, skipped: 0, 'not-started': 0 };
      const changes = [{ address: 'ReservedAddr/a', action: 'create', ending: 'done', id: 'ra_1' }] as const;
      for (const commit of ['aaaaaaa', 'bbbbbbb']) {
        const lock = await here.acquireLock('sluice apply');
        const done = {
          interrupted: false,
          requests: 1,
          done: { create: 1 },
          endings,
          changes: [...changes],
          omitted: 0,
        };
        const end = await here.beginRun({ planned: { commit, planText: '+ ReservedAddr/a' }, possible: done });
        const [begun] = await elsewhere.runs(1);
        expect([begun?.commit, begun?.ended]).toEqual([commit, undefined]);
        await end?.(done);
        await lock.release();
      }
      const runs = await elsewhere.runs(10);
      expect(runs.map(({ commit }) => commit)).toEqual(['bbbbbbb', 'aaaaaaa']);
      expect(runs.every(({ began, ended = '' }) => began <= ended)).toBe(true);
      expect(runs[0]).toMatchObject({ command: 'sluice apply', owner: expect.any(String) as string, changes });
      expect(await elsewhere.runs(1)).toHaveLength(1);
    });

    test('has documents that everybody may change, and a version that reports when one has', async () => {
      const [here, elsewhere] = await opened();
      const mine = here.document('watch-requests');
      const theirs = elsewhere.document('watch-requests');
      const before = await theirs.version();
      expect(await theirs.version()).toBe(before);
      await mine.update(() => 'one');
      const after = await theirs.version();
      expect(after).not.toBe(before);
      await theirs.update((read) => `${'text' in read ? read.text : ''}, two`);
      expect(await mine.read()).toEqual({ text: 'one, two' });
      expect(await mine.version()).not.toBe(after);
      expect(await here.document('watch-state').read()).toMatchObject({ code: 'FILE_NOT_FOUND' });
    });

    test('can be moved away: whoever opens it learns where it is, until it is moved back', async () => {
      const [here, elsewhere] = await opened();
      await write(here, (store) => store.save(stateOf('a')));
      const serial = (await here.stateStore(options).load())?.serial ?? 0;
      await elsewhere.mustBeHere();
      const lock = await here.acquireLock('sluice state push');
      await here.stateStore(options, lock).load();
      await here.moveAway('s3://new/place', options);
      await lock.release();
      const moved = { code: 'STATE_MOVED', message: expect.stringContaining('s3://new/place') as string };
      await expect(elsewhere.stateStore(options).load()).rejects.toMatchObject(moved);
      await expect(elsewhere.mustBeHere()).rejects.toMatchObject(moved);
      await expect(write(elsewhere, (store) => store.save(stateOf('b')))).rejects.toMatchObject(moved);

      const back = await elsewhere.acquireLock('sluice state pull', { isDestination: true });
      const store = elsewhere.stateStore({ ...options, continues: serial + 5 }, back);
      expect(await store.load()).toBeUndefined();
      await store.save(stateOf('a', 'c'));
      await store.close();
      await back.release();
      const found = await here.stateStore(options).load();
      expect(namesIn(found)).toEqual(['ReservedAddr/a', 'ReservedAddr/c']);
      expect(found?.serial).toBeGreaterThan(serial + 5);
      await elsewhere.mustBeHere();
    });

    test('is removed whole once there are no resources in it, and can begin again', async () => {
      const [here, elsewhere] = await opened();
      await write(here, (store) => store.save(stateOf('a')));
      await here.document('watch-requests').update(() => 'paused');
      await expect(elsewhere.removeAll(options, {})).rejects.toMatchObject({ code: 'STATE_NOT_EMPTY' });
      await write(here, (store) => store.save(stateOf()));
      await elsewhere.removeAll(options, {});
      expect(await here.stateStore(options).load()).toBeUndefined();
      expect(await here.document('watch-requests').read()).toMatchObject({ code: 'FILE_NOT_FOUND' });
      expect(await here.lockHolder()).toBeUndefined();
      await write(here, (store) => store.save(stateOf('b')));
      expect(namesIn(await elsewhere.stateStore(options).load())).toEqual(['ReservedAddr/b']);
    });

    test('can be set aside', async () => {
      const [here] = await opened();
      await write(here, (store) => store.save(stateOf('a')));
      const lock = await here.acquireLock('sluice state rebuild');
      expect(await here.setAside(new Date())).toContain('unreadable');
      const store = here.stateStore(options, lock);
      expect(await store.load()).toBeUndefined();
      await store.save(stateOf('b'));
      await store.close();
      await lock.release();
      expect(namesIn(await here.stateStore(options).load())).toEqual(['ReservedAddr/b']);
    });
  });
}

async function write(
  backend: Backend,
  work: (store: ReturnType<Backend['stateStore']>) => Promise<void>,
): Promise<void> {
  const lock = await backend.acquireLock('sluice apply');
  try {
    const store = backend.stateStore(options, lock);
    await store.load();
    await work(store);
    await store.close();
  } finally {
    await lock.release();
  }
}

function stateOf(...names: readonly string[]): State {
  const entries = Object.fromEntries(names.map((name) => [`ReservedAddr/${name}`, entryOf(name)]));
  return { ...emptyState(options.lineage, options.account), entries };
}

function made(name: string): { readonly entries: Record<string, Entry>; readonly intents: Record<string, never> } {
  return { entries: { [`ReservedAddr/${name}`]: entryOf(name) }, intents: {} };
}

function entryOf(name: string): Entry {
  return { kind: 'ReservedAddr', id: `addr_${name}`, spec: { region: 'eu' }, protect: false, retain: false };
}

function namesIn(state: State | undefined): readonly string[] {
  return Object.keys(state?.entries ?? {}).sort();
}
