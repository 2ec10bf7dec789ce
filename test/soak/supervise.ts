import type { Draw } from './draw.ts';
import { pause } from './pause.ts';
import { startLife, stopLife, type Life, type ReplicaSetup } from './replica.ts';

/** Replicas that are started again whenever they end. */
export interface Supervised {
  /** All lives so far. */
  readonly lives: () => readonly Life[];
  /** The present life of each replica. */
  readonly current: () => readonly Life[];
  /** Aborts when they are stopped. */
  readonly over: AbortSignal;
  /** All end in good order. */
  readonly stop: () => Promise<void>;
}

/** Starts replicas; some lives may be spent in a container. */
export function supervise(setups: readonly ReplicaSetup[], draw: Draw, isContained: () => boolean): Supervised {
  const lives: Life[] = [];
  const over = new AbortController();
  const current = setups.map((_, at) => begin(at));

  function begin(at: number): Life {
    const life = startLife(setups[at]!, lives.length, isContained());
    lives.push(life);
    void startAgain(life, at);
    return life;
  }

  /** What a supervisor does: whoever has ended is started again, after a while. */
  async function startAgain(life: Life, at: number): Promise<void> {
    await life.ended;
    await pause(draw.within(200, 3_000), over.signal);
    if (!over.signal.aborted) current[at] = begin(at);
  }

  return {
    lives: () => lives,
    current: () => current,
    over: over.signal,
    stop: async () => {
      over.abort();
      await Promise.all(current.map(stopLife));
    },
  };
}
