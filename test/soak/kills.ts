import type { Draw } from './draw.ts';
import { again, pause } from './pause.ts';
import { stopLife, type Life, type ReplicaSetup } from './replica.ts';
import { supervise } from './supervise.ts';

/** Two replicas of one stack, each with all its lives so far. */
export interface Pair {
  readonly lives: () => readonly Life[];
  /** Ends one of them after the other in one of three ways, until the signal aborts; whoever ends is started again. */
  readonly killInTurn: (signal: AbortSignal) => Promise<void>;
  /** Both end in good order. */
  readonly stop: () => Promise<void>;
  readonly kills: readonly Kill[];
}

/** One time that a replica was disturbed. */
export interface Kill {
  readonly at: number;
  readonly how: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP';
  readonly key: string;
}

/** Starts both. Where it can be had, some lives are spent in a container, so that others know them by their signs of life alone. */
export function startPair(setups: readonly [ReplicaSetup, ReplicaSetup], draw: Draw, withContainers: boolean): Pair {
  const kills: Kill[] = [];
  const replicas = supervise(setups, draw, () => withContainers && draw.happens(0.4));

  async function disturb(life: Life): Promise<void> {
    const how = draw.one(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const);
    if (life.isOver()) return;
    kills.push({ at: Date.now(), how, key: life.key });
    if (how === 'SIGTERM') await stopLife(life);
    else life.signal(how);
    if (how !== 'SIGSTOP') return;
    await pause(draw.within(2_000, withContainers ? 25_000 : 5_000), replicas.over);
    life.signal('SIGCONT');
  }

  return {
    lives: replicas.lives,
    kills,
    killInTurn: async (signal) => {
      await again(signal, async (round) => {
        // Who cannot see that the other is gone waits for 15 s before it takes over.
        const current = replicas.current();
        const slow = current.some(({ isContained }) => isContained);
        await pause(slow ? draw.within(18_000, 30_000) : draw.within(3_000, 10_000), signal);
        const life = current[round % 2];
        if (!signal.aborted && life !== undefined) await disturb(life);
      });
    },
    stop: replicas.stop,
  };
}
