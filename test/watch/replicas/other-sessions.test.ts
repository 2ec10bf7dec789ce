import { describe, expect, test } from 'vitest';
import { usualTiming } from '../../support/usual-timing.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import { otherSessions } from '../../../src/watch/replicas/other-sessions.ts';
import { ownSession, sessionBytes, sessionIn, type SessionRecord } from '../../../src/watch/replicas/own-session.ts';
import { memoryStore, sharedMemory } from '../../state/remote/memory-store.ts';
import { processIn, worldOf } from '../../state/remote/world.ts';

const { heartbeatMs, durationMs } = usualTiming;
const nothing = { holds: new Set<string>(), awaits: new Set<string>(), avoids: new Set<string>() };

/** The sessions of a store, as the replica `own` reads them, and one of another replica. */
async function sessions() {
  const world = worldOf(1);
  const memory = sharedMemory();
  const base = { store: memoryStore(memory), time: processIn(world, 1).time, timing: usualTiming };
  const meanwhile: { happens?: () => void; sent?: number[] } = {};
  const store: RemoteStore = {
    ...base.store,
    swap: (...given) => {
      if (meanwhile.sent === undefined) return base.store.swap(...given);
      meanwhile.sent.push(world.now());
      return Promise.resolve({ is: 'again' });
    },
    read: async (name: string) => {
      const found = await base.store.read(name);
      meanwhile.happens?.();
      return found;
    },
  };
  const read = otherSessions({ ...base, store });
  const about = { version: '1.0.0', since: '2026-03-14' };
  const other = ownSession('other', about, base);
  await other.heartbeat(nothing);
  return {
    ...{ memory, other, meanwhile },
    pass: (ms: number) => {
      world.at(world.now() + ms, () => undefined);
      return world.run(world.now() + ms);
    },
    /** Each session that lives, and whether it is silent. */
    living: async () => Object.fromEntries([...(await read('own'))].map(([id, { isSilent }]) => [id, isSilent])),
    record: () => sessionIn(memory.objects.get('replicas/other')?.bytes ?? Buffer.from('')),
    write: (name: string, facts: Partial<SessionRecord> | string) => {
      const usual = { session: 1, alive: true, ...about, heartbeat: 0, duration_ms: durationMs } as const;
      const bytes =
        typeof facts === 'string'
          ? Buffer.from(facts)
          : sessionBytes({ ...usual, holds: new Set(), awaits: new Set(), avoids: new Set(), ...facts });
      memory.versions += 1;
      memory.objects.set(`replicas/${name}`, { bytes: Buffer.from(bytes), version: `w${String(memory.versions)}` });
    },
  };
}

describe('the session of another replica', () => {
  test('lives while it changes, and is silent after three heartbeats without a change', async () => {
    const { living, pass, other } = await sessions();
    expect(await living()).toEqual({ other: false });
    await pass(3 * heartbeatMs - 1);
    expect(await living()).toEqual({ other: false });
    await pass(1);
    expect(await living()).toEqual({ other: true });
    await other.heartbeat(nothing);
    expect(await living()).toEqual({ other: false });
  });

  test('is ended once it has not changed for its whole duration, so that its next heartbeat fails', async () => {
    const { living, pass, record, other } = await sessions();
    await living();
    await pass(durationMs - 1);
    expect([await living(), record()?.alive]).toEqual([{ other: true }, true]);
    await pass(1);
    expect([await living(), record()?.alive]).toEqual([{}, false]);
    expect(await living()).toEqual({});
    expect(await other.heartbeat(nothing)).toBe(false);
  });

  test('that speaks while it is being ended lives on', async () => {
    const { living, pass, write, record, meanwhile } = await sessions();
    await living();
    await pass(durationMs);
    // The heartbeat arrives after the session was read.
    meanwhile.happens = () => {
      delete meanwhile.happens;
      write('other', { heartbeat: 7 });
    };
    expect([await living(), record()?.alive]).toEqual([{ other: true }, true]);
    expect(await living()).toEqual({ other: false });
  });

  test('is tried to be ended for as long as a heartbeat lasts', async () => {
    const { living, pass, meanwhile } = await sessions();
    await living();
    await pass(durationMs);
    meanwhile.sent = [];
    const ended = living().catch((error: unknown) => error);
    await pass(2 * heartbeatMs);
    expect(await ended).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    const [first = 0] = meanwhile.sent;
    expect(meanwhile.sent.map((at) => at - first)).toEqual([0, 200, 600, 1_400, 3_000, 5_000, 7_000, 9_000, 11_000]);
  });

  test('of a replica that has left is none, and is removed after ten durations', async () => {
    const { living, pass, memory, other } = await sessions();
    await other.leave();
    expect(await living()).toEqual({});
    await pass(10 * durationMs - 1);
    expect([await living(), memory.objects.size]).toEqual([{}, 1]);
    await pass(1);
    expect([await living(), memory.objects.size]).toEqual([{}, 0]);
  });

  test('is judged by the duration that it states', async () => {
    const { living, pass, write } = await sessions();
    write('slow', { duration_ms: 2 * durationMs });
    await living();
    await pass(durationMs);
    expect(await living()).toEqual({ slow: true });
  });

  test('is none where it cannot be read, and the own one is no other', async () => {
    const { living, write } = await sessions();
    write('own', {});
    write('broken', '{');
    write('later', '{"session":2}');
    expect(await living()).toEqual({ other: false });
  });

  test('that was removed and is there again is seen anew', async () => {
    const { living, pass, memory } = await sessions();
    await living();
    const before = memory.objects.get('replicas/other')!;
    memory.objects.delete('replicas/other');
    expect(await living()).toEqual({});
    await pass(4 * heartbeatMs);
    memory.objects.set('replicas/other', before);
    expect(await living()).toEqual({ other: false });
  });
});
