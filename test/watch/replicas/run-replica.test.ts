import { describe, expect, test } from 'vitest';
import { StateError, StoreRefused } from '../../../src/diagnostics/errors.ts';
import type { StackElsewhere } from '../../../src/model/status/fleet-status.ts';
import { usualTiming } from '../../support/usual-timing.ts';
import type { RemoteStore } from '../../../src/state/remote/remote-store.ts';
import type { DividedStack } from '../../../src/watch/replicas/divided-stack.ts';
import { runReplica } from '../../../src/watch/replicas/run-replica.ts';
import { sessionBytes, sessionIn } from '../../../src/watch/replicas/own-session.ts';
import { memoryStore, sharedMemory } from '../../state/remote/memory-store.ts';
import { processIn, worldOf } from '../../state/remote/world.ts';

const { heartbeatMs, durationMs } = usualTiming;
const intervalMs = 300_000;

/** A stack whose lock is free as soon as nobody has it, unless a test says otherwise. */
interface TestedStack extends DividedStack {
  readonly released: string[];
  elsewhere: StackElsewhere | undefined;
  difficulty: ReturnType<DividedStack['trouble']>;
  /** Whoever attempts it waits for its lock. */
  isLocked: boolean;
  /** Its turn goes on: it is given back later. */
  isBusy: boolean;
}

function testedStack(): TestedStack {
  let [isTaken, isLeaving] = [false, false];
  const stack: TestedStack = {
    released: [],
    elsewhere: undefined,
    difficulty: undefined,
    isLocked: false,
    isBusy: false,
    claim: () => (isTaken ? (stack.isLocked ? 'awaits' : 'holds') : 'none'),
    isLeaving: () => isLeaving,
    trouble: () => stack.difficulty,
    intervalMs: () => intervalMs,
    attempt: () => (isTaken = true),
    release: (when) => {
      stack.released.push(when);
      isTaken = isLeaving = stack.isBusy;
    },
    setElsewhere: (elsewhere) => (stack.elsewhere = elsewhere),
  };
  return stack;
}

/** Replicas of one store, by names, each with the same two stacks, in time that passes when the test lets it. */
function fleet() {
  const world = worldOf(1);
  const memory = sharedMemory();
  const join = (name: string, reach: (store: RemoteStore) => RemoteStore = (store) => store) => {
    const stacks = new Map(['a', 'b'].map((path) => [path, testedStack()]));
    const log: string[] = [];
    const over = new AbortController();
    let [sessions, joined] = [0, 0];
    const ended = runReplica(
      {
        store: reach(memoryStore(memory)),
        time: processIn(world, 1).time,
        timing: usualTiming,
        newId: () => `${name}${String(++sessions)}`,
        about: () => ({ version: '1.0.0', since: '2026-03-14', url: `http://${name}.example.com/` }),
        onJoined: () => (joined += 1),
        stacks: () => stacks,
        log: (level, event, message) => log.push(`${level} ${event}: ${message}`),
      },
      over.signal,
    );
    ended.catch(() => undefined);
    return {
      stacks,
      log,
      ended,
      joined: () => joined,
      holds: () => [...stacks].flatMap(([path, stack]) => (stack.claim() === 'holds' ? [path] : [])),
      session: (id = `${name}1`) => {
        const found = memory.objects.get(`replicas/${id}`);
        return found && sessionIn(found.bytes);
      },
      stop: async () => {
        over.abort();
        await pass(1);
        await (
          await ended
        )();
      },
    };
  };
  const pass = (ms: number): Promise<void> => world.run(world.now() + ms);
  return { memory, join, pass, sleep: processIn(world, 1).time.sleep };
}

describe('a replica', () => {
  test('joins with one heartbeat, and takes all stacks where it is alone', async () => {
    const { join, pass } = fleet();
    const one = join('one');
    await pass(heartbeatMs - 1);
    expect(one.joined()).toBe(1);
    expect(one.session()).toMatchObject({
      alive: true,
      version: '1.0.0',
      url: 'http://one.example.com/',
      holds: new Set(),
    });
    await pass(3 * durationMs);
    expect(one.holds()).toEqual(['a', 'b']);
    expect(one.session()).toMatchObject({ holds: new Set(['a', 'b']), awaits: new Set(), avoids: new Set() });
    expect(one.joined()).toBe(1);
    expect(one.log).toEqual(['info replica: joining the fleet as replica one1']);
  });

  test('ends its session when it is stopped, so that others need not wait', async () => {
    const { join, pass } = fleet();
    const one = join('one');
    await pass(heartbeatMs);
    await one.stop();
    expect(one.session()).toMatchObject({ alive: false, holds: new Set() });
  });

  test('that is stopped before it has a session leaves none', async () => {
    const { memory, join, pass } = fleet();
    const away = new StateError('STORE_UNAVAILABLE', 'no connection');
    const one = join('one', (store) => ({ ...store, prepare: () => Promise.reject(away) }));
    await pass(heartbeatMs);
    await one.stop();
    expect([...memory.objects.keys()]).toEqual([]);
  });

  test('is stopped at once, not at its next heartbeat, and whether or not its store answers', async () => {
    const { join, pass } = fleet();
    const away = new StateError('STORE_UNAVAILABLE', 'no connection');
    let isAway = false;
    const one = join('one', (store) => ({
      ...store,
      swap: (...given) => (isAway ? Promise.reject(away) : store.swap(...given)),
    }));
    await pass(heartbeatMs / 2);
    isAway = true;
    const stopped = one.stop();
    await pass(heartbeatMs);
    await stopped;
    expect(one.session()).toMatchObject({ alive: true, heartbeat: 0 });
  });

  test('has a heartbeat when it is due, however long the store takes, and rests between two', async () => {
    const { join, pass, sleep } = fleet();
    const beats = (): number => one.session()?.heartbeat ?? -1;
    let slow = 0;
    const one = join('one', (store) => ({
      ...store,
      list: async (prefix) => {
        const names = await store.list(prefix);
        await sleep(slow);
        return names;
      },
    }));
    await pass(10 * heartbeatMs - 1);
    expect(beats()).toBe(9);
    slow = heartbeatMs / 2;
    await pass(10 * heartbeatMs);
    expect(beats()).toBe(18);
    // One that takes longer than a heartbeat is followed by a tenth of one.
    slow = 1.9 * heartbeatMs;
    await pass(20 * heartbeatMs);
    expect(beats()).toBe(28);
  });

  test('gives a stack to one that joins, and reports of each stack that it does not have who has it', async () => {
    const { join, pass } = fleet();
    const one = join('one');
    await pass(3 * durationMs);
    const two = join('two');
    await pass(3 * durationMs);
    expect([...one.holds(), ...two.holds()].sort()).toEqual(['a', 'b']);
    const [own = '', other = ''] = [...one.holds(), ...two.holds()];
    expect(one.stacks.get(own)).toMatchObject({ released: [], elsewhere: {} });
    expect(one.stacks.get(other)?.released).toEqual(['after-turn']);
    expect(one.stacks.get(other)?.elsewhere).toEqual({ replica: 'two1', url: 'http://two.example.com/' });
    expect(two.stacks.get(own)?.elsewhere).toEqual({ replica: 'one1', url: 'http://one.example.com/' });
    expect(one.log.at(-1)).toBe(
      `info given-back: ${other}: released to the other replicas, because another replica has fewer stacks`,
    );
  });

  test('takes a stack that another replica prefers and leaves, after one lease duration', async () => {
    const { memory, join, pass } = fleet();
    const one = join('one');
    await pass(heartbeatMs);
    // One that speaks, and takes nothing.
    let beats = 0;
    const speak = (): void => {
      const bytes = sessionBytes({ ...one.session()!, holds: new Set(), awaits: new Set(), heartbeat: (beats += 1) });
      memory.objects.set('replicas/zero', { bytes: Buffer.from(bytes), version: `beat${String(beats)}` });
    };
    const held: number[] = [];
    for (let n = 0; n < 7; n++) {
      speak();
      await pass(heartbeatMs);
      held.push(one.holds().length);
    }
    expect(held).toEqual([1, 1, 1, 1, 1, 1, 2]);
  });

  test('that waits for a lock is named by the others, and stops waiting once another one has it', async () => {
    const { memory, join, pass } = fleet();
    const one = join('one');
    for (const stack of one.stacks.values()) stack.isLocked = true;
    await pass(2 * heartbeatMs);
    expect(one.session()).toMatchObject({ holds: new Set(), awaits: new Set(['a', 'b']) });
    const two = join('two');
    await pass(2 * heartbeatMs);
    const [waiting = ''] = one.session()?.awaits ?? [];
    expect(two.stacks.get(waiting)?.elsewhere).toEqual({ replica: 'one1', url: 'http://one.example.com/' });
    const bytes = sessionBytes({ ...two.session()!, holds: new Set([waiting]), awaits: new Set() });
    memory.objects.set('replicas/three', { bytes: Buffer.from(bytes), version: 'begun' });
    await pass(2 * heartbeatMs);
    expect(one.stacks.get(waiting)?.released).toEqual(['now']);
    expect(two.stacks.get(waiting)?.elsewhere?.replica).toBe('three');
  });

  test('gives back all stacks at once and begins a new session after another replica has ended its session', async () => {
    const { memory, join, pass } = fleet();
    const one = join('one');
    await pass(3 * durationMs);
    const bytes = sessionBytes({ ...one.session()!, alive: false });
    memory.objects.set('replicas/one1', { bytes: Buffer.from(bytes), version: 'ended' });
    await pass(heartbeatMs);
    expect(one.log.at(-1)).toContain('another replica ended the session of this replica, one1');
    expect([...one.stacks.values()].map(({ released }) => released)).toEqual([['now'], ['now']]);
    await pass(3 * durationMs);
    expect(one.log.at(-1)).toBe('info replica: joining the fleet as replica one2');
    expect(one.holds()).toEqual(['a', 'b']);
  });
});

describe('a stack that a replica cannot plan', () => {
  const shared = async () => {
    const { join, pass } = fleet();
    const [one, two] = [join('one'), join('two')];
    await pass(5 * durationMs);
    const [path = ''] = one.holds();
    return { one, two, pass, path, stack: one.stacks.get(path)! };
  };

  test('is given back at once where the files are behind: another replica takes it, and gives back another one for it', async () => {
    const { one, two, pass, path, stack } = await shared();
    stack.difficulty = { reason: 'behind', forMs: 0 };
    await pass(2 * heartbeatMs);
    expect(stack.released).toEqual(['after-turn']);
    expect(one.log.at(-1)).toContain('because the files of this replica are behind the commit that was applied last');
    expect(one.session()?.avoids).toEqual(new Set([path]));
    await pass(2 * durationMs);
    expect(two.holds()).toContain(path);
    expect(stack.elsewhere).toEqual({ replica: 'two1', url: 'http://two.example.com/', reason: 'behind' });
  });

  test('is given back once it could not be planned for two intervals, not before', async () => {
    const { one, pass, stack } = await shared();
    stack.difficulty = { reason: 'not-planned', forMs: 2 * intervalMs - 1 };
    await pass(2 * heartbeatMs);
    expect(stack.released).toEqual([]);
    stack.difficulty = { reason: 'not-planned', forMs: 2 * intervalMs };
    await pass(2 * heartbeatMs);
    expect(stack.released).toEqual(['after-turn']);
    expect(one.log.at(-1)).toContain('because this replica cannot plan the stack');
  });

  test('is given back once, although its turn goes on', async () => {
    const { one, pass, stack } = await shared();
    stack.isBusy = true;
    stack.difficulty = { reason: 'behind', forMs: 0 };
    await pass(3 * heartbeatMs);
    expect(stack.released).toEqual(['after-turn']);
    expect(one.log.filter((line) => line.includes('are behind'))).toHaveLength(1);
  });

  test('is left where it is while another replica has it', async () => {
    const { one, two, pass, path } = await shared();
    const lines = two.log.length;
    two.stacks.get(path)!.difficulty = { reason: 'behind', forMs: 0 };
    await pass(3 * heartbeatMs);
    expect([two.stacks.get(path)?.released, two.log.length, one.holds()]).toEqual([[], lines, [path]]);
  });

  test('stays where each other replica has given it back for the same reason', async () => {
    const { two, pass, path, stack } = await shared();
    const difficulty = { reason: 'behind', forMs: 0 } as const;
    stack.difficulty = difficulty;
    two.stacks.get(path)!.difficulty = difficulty;
    await pass(3 * durationMs);
    expect(two.holds()).toContain(path);
    expect([stack.released, two.stacks.get(path)?.released]).toEqual([['after-turn'], []]);
  });

  test('stays where no other replica could plan it either', async () => {
    const { join, pass } = fleet();
    const one = join('one');
    await pass(3 * durationMs);
    for (const stack of one.stacks.values()) stack.difficulty = { reason: 'behind', forMs: intervalMs };
    await pass(3 * durationMs);
    expect(one.holds()).toEqual(['a', 'b']);
  });
});

describe('while its store cannot be reached', () => {
  const away = new StateError('STORE_UNAVAILABLE', 'no connection');
  const unavailable =
    'warn replica: the shared store of the replicas (--replicas) is unavailable, this replica keeps the stacks that it has: no connection';
  const again = 'info replica: the shared store of the replicas (--replicas) is available again';

  /** A store that fails with an error for as long as there is one. */
  function failing(error: Error | undefined) {
    const state = { error };
    const reach = (store: RemoteStore): RemoteStore => ({
      ...store,
      prepare: () => (state.error === undefined ? store.prepare() : Promise.reject(state.error)),
      list: (prefix) => (state.error === undefined ? store.list(prefix) : Promise.reject(state.error)),
    });
    return { state, reach };
  }

  test('a replica keeps the stacks that it has, and reports once that the store is away and once that it is back', async () => {
    const { join, pass } = fleet();
    const { state, reach } = failing(undefined);
    const one = join('one', reach);
    await pass(3 * durationMs);
    state.error = away;
    await pass(5 * heartbeatMs);
    expect(one.holds()).toEqual(['a', 'b']);
    state.error = undefined;
    await pass(5 * heartbeatMs);
    expect(one.log.slice(1)).toEqual([unavailable, again]);
    state.error = new StoreRefused('STORE_ACCESS_DENIED', 'the key is revoked');
    await pass(heartbeatMs);
    expect(one.log.at(-1)).toBe(
      'warn replica: the shared store of the replicas (--replicas) is unavailable, this replica keeps the stacks that it has: the key is revoked',
    );
    await one.stop();
  });

  test('a replica that begins waits for it, and joins then', async () => {
    const { join, pass } = fleet();
    const { state, reach } = failing(away);
    const one = join('one', reach);
    await pass(3 * heartbeatMs);
    expect([one.joined(), one.log]).toEqual([0, [unavailable]]);
    state.error = undefined;
    await pass(heartbeatMs);
    expect([one.joined(), one.log.slice(1)]).toEqual([1, ['info replica: joining the fleet as replica one1', again]]);
  });

  test('a replica that begins ends with the error of a store that refuses', async () => {
    const { join, pass } = fleet();
    const refused = new StoreRefused('STORE_ACCESS_DENIED', 'wrong password');
    const one = join('one', failing(refused).reach);
    await pass(1);
    await expect(one.ended).rejects.toBe(refused);
  });
});
