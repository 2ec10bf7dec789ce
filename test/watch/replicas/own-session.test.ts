import { expect, test } from 'vitest';
import { StateError } from '../../../src/diagnostics/errors.ts';
import { ownSession, sessionIn } from '../../../src/watch/replicas/own-session.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import { memoryStore, sharedMemory } from '../../state/remote/memory-store.ts';
import { processIn, worldOf } from '../../state/remote/world.ts';

const claims = (...holds: readonly string[]) => ({
  holds: new Set(holds),
  awaits: new Set(['waited']),
  avoids: new Set(['left']),
});
const cause = new StateError('STORE_UNAVAILABLE', 'no connection');

/** The session of a replica, in a store whose answers may be lost after they were carried out, or before. */
function session() {
  const [world, memory] = [worldOf(1), sharedMemory()];
  const plain = memoryStore(memory);
  const outage: { is?: 'before' | 'after' } = {};
  const sent: number[] = [];
  const own = ownSession(
    'one',
    { version: '1.0.0', since: '2026-03-14' },
    {
      store: {
        ...plain,
        swap: async (...given) => {
          sent.push(world.now());
          if (outage.is === 'before') return { is: 'unknown', cause };
          const result = await plain.swap(...given);
          return outage.is === 'after' ? { is: 'unknown', cause } : result;
        },
        read: (name) => (outage.is === undefined ? plain.read(name) : Promise.reject(cause)),
      },
      time: processIn(world, 1).time,
      timing: usualTiming,
    },
  );
  /** Lets time pass until work has settled. */
  const ended = async <T>(work: Promise<T>): Promise<T | 'outage'> => {
    const settled = work.catch(() => 'outage' as const);
    await world.run(world.now() + 2 * usualTiming.heartbeatMs);
    return settled;
  };
  const record = () => {
    const found = memory.objects.get('replicas/one');
    return found && sessionIn(found.bytes);
  };
  return { own, outage, ended, record, memory, sent };
}

test('a session has a number for each heartbeat, and reports what the replica does', async () => {
  const { own, ended, record } = session();
  expect(await ended(own.heartbeat(claims('a', 'b')))).toBe(true);
  expect(record()).toMatchObject({ alive: true, heartbeat: 0, duration_ms: usualTiming.durationMs });
  expect(record()).toMatchObject({
    holds: new Set(['a', 'b']),
    awaits: new Set(['waited']),
    avoids: new Set(['left']),
  });
  expect(await ended(own.heartbeat(claims()))).toBe(true);
  expect(record()).toMatchObject({ heartbeat: 1, holds: new Set() });
});

test('a session that is over claims nothing, and one that never began leaves nothing behind', async () => {
  const { own, ended, record, memory } = session();
  await ended(own.leave());
  expect(memory.objects.size).toBe(0);
  await ended(own.heartbeat(claims('a')));
  await ended(own.leave());
  expect(record()).toMatchObject({
    alive: false,
    heartbeat: 1,
    holds: new Set(),
    awaits: new Set(),
    avoids: new Set(),
  });
});

test.each(['before', 'after'] as const)(
  'a heartbeat whose answer was lost %s it was written is sent again as it was, then the next one',
  async (when) => {
    const { own, outage, ended, record } = session();
    await ended(own.heartbeat(claims('a')));
    outage.is = when;
    expect(await ended(own.heartbeat(claims('a', 'b')))).toBe('outage');
    delete outage.is;
    expect(await ended(own.heartbeat(claims('c')))).toBe(true);
    expect(record()).toMatchObject({ heartbeat: 1, holds: new Set(['a', 'b']) });
    expect(await ended(own.heartbeat(claims('c')))).toBe(true);
    expect(record()).toMatchObject({ heartbeat: 2, holds: new Set(['c']) });
  },
);

test('a heartbeat without an answer is tried for as long as a heartbeat lasts', async () => {
  const { own, outage, ended, sent } = session();
  outage.is = 'before';
  expect(await ended(own.heartbeat(claims()))).toBe('outage');
  expect(sent).toEqual([0, 200, 600, 1_400, 3_000, 5_000, 7_000, 9_000, 11_000]);
});

test('a session is left after what was still to be written, unless another replica has ended it', async () => {
  const { own, outage, ended, record, memory } = session();
  outage.is = 'after';
  await ended(own.heartbeat(claims('a')));
  delete outage.is;
  await ended(own.leave());
  expect(record()).toMatchObject({ alive: false, heartbeat: 1 });
  const other = session();
  await other.ended(other.own.heartbeat(claims('a')));
  other.outage.is = 'before';
  await other.ended(other.own.heartbeat(claims('a')));
  delete other.outage.is;
  const found = other.memory.objects.get('replicas/one')!;
  other.memory.objects.set('replicas/one', { ...found, version: 'ended' });
  await other.ended(other.own.leave());
  expect(other.memory.objects.get('replicas/one')?.version).toBe('ended');
  expect(await other.ended(other.own.heartbeat(claims('a')))).toBe(false);
  expect(memory.objects.size).toBe(1);
});
