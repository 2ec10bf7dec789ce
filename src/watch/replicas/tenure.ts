import { EventEmitter, once } from 'node:events';
import type { Ports } from '../ports.ts';

/** From the attempt to take a stack until it is given back, again and again. */
export interface Tenure {
  readonly attempt: () => void;
  /** Ends it: at the end of the turn that is under way, if there is one, or now. */
  readonly release: (when: 'after-turn' | 'now') => void;
  /** Resolves with a signal that aborts at the end, once there is an attempt; undefined once the given signal aborts. */
  readonly begun: (signal: AbortSignal) => Promise<AbortSignal | undefined>;
  /** Everything of it has stopped. */
  readonly ended: () => void;
  readonly isBegun: () => boolean;
  readonly isLeaving: () => boolean;
  /** Takes turns, and notices their end. */
  readonly turns: (takeTurn: Ports['takeTurn']) => Ports['takeTurn'];
}

/** One that has not begun. */
export function createTenure(): Tenure {
  let current: AbortController | undefined;
  let isLeaving = false;
  let inTurn = false;
  const attempts = new EventEmitter();
  return {
    attempt: () => {
      current ??= new AbortController();
      attempts.emit('attempt');
    },
    release: (when) => {
      if (current === undefined) return;
      isLeaving = true;
      if (when === 'now' || !inTurn) current.abort();
    },
    begun: async (signal) => {
      while (current === undefined && !signal.aborted)
        await once(attempts, 'attempt', { signal }).catch(() => undefined);
      return signal.aborted ? undefined : current?.signal;
    },
    ended: () => {
      current = undefined;
      isLeaving = false;
    },
    isBegun: () => current !== undefined,
    isLeaving: () => isLeaving,
    turns: (takeTurn) => async (signal) => {
      const end = await takeTurn(signal);
      inTurn = true;
      return () => {
        inTurn = false;
        end();
        if (isLeaving) current?.abort();
      };
    },
  };
}
