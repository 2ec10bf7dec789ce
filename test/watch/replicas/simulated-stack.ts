import type { AccountLimiters } from '../../../src/stack/service/account-limiters.ts';
import type { DividedStack } from '../../../src/watch/replicas/divided-stack.ts';
import { createTenure } from '../../../src/watch/replicas/tenure.ts';
import type { Ports } from '../../../src/watch/ports.ts';
import type { Process, World } from '../../state/remote/world.ts';
import type { SimulatedAccount } from './simulated-account.ts';
import type { SimulatedLock } from './simulated-lock.ts';

/** What is true of a stack, whoever has it. */
export interface StackFacts {
  readonly path: string;
  readonly lock: SimulatedLock;
  readonly account: SimulatedAccount;
  /** The revision that was applied last. */
  applied: number;
  /** When its account was compared last. */
  lookedAt: number;
  readonly isBroken: boolean;
  readonly isBusy: boolean;
  readonly takes: { readonly by: string; readonly at: number }[];
  readonly requests: { readonly take: number; readonly from: number; until: number }[];
  /** How often it was applied at an older revision than before. */
  backwards: number;
}

/** The process of a replica. */
export interface SimulatedHost {
  readonly world: World;
  readonly process: Process;
  readonly name: string;
  readonly isCutOff: () => boolean;
  readonly revision: () => number;
  /** The request rates of its accounts. */
  readonly limiters: AccountLimiters;
  /** Joins those that wait for their turns. */
  readonly join: () => Ports['takeTurn'];
  /** Aborts when the replica is stopped: then it takes nothing more. */
  readonly over: AbortSignal;
}

/** How a turn ended; one that rejects has failed as well. */
export type TurnEnd = 'done' | 'failed' | 'behind' | 'not-planned';

/** What a replica does with a stack. */
export interface StackWork {
  /** The time between two turns of a stack that always has something to do. */
  readonly busyRestMs: number;
  /** Resolves once the lock is taken, or the signal aborts: whether it is taken. Notes the take. */
  readonly take: (signal: AbortSignal) => Promise<boolean>;
  /** Whether a request may start. */
  readonly mayWrite: () => boolean;
  /** Whether it is still its own, as far as the process has heard. */
  readonly isMine: () => boolean;
  readonly release: () => Promise<void> | void;
  readonly turn: (take: number, signal: AbortSignal) => Promise<TurnEnd>;
}

/** The time between two looks at a stack. */
export const intervalMs = 300_000;

/** A stack as one replica has it. It frees the lock of a stack that is given back at once, if that is planted. */
export function simulatedStack(
  facts: StackFacts,
  { world, process: { time }, join, limiters, over }: SimulatedHost,
  work: StackWork,
  freesAtOnce = false,
): DividedStack {
  const tenure = createTenure();
  const takeTurn = tenure.turns(join());
  let isLeading = false;
  let trouble: { readonly reason: 'behind' | 'not-planned'; readonly since: number } | undefined;
  void live();

  async function live(): Promise<void> {
    for (;;) {
      const signal = await tenure.begun(over);
      if (signal === undefined) return;
      const isOver = (): boolean => signal.aborted;
      while (!isOver())
        if (await work.take(signal)) {
          isLeading = true;
          while (!isOver() && work.isMine()) await turnAndRest(facts.takes.length, signal);
          isLeading = false;
          await work.release();
        }
      trouble = undefined;
      tenure.ended();
      limiters.forget(facts.path);
    }
  }

  async function turnAndRest(take: number, signal: AbortSignal): Promise<void> {
    const endTurn = await takeTurn(signal).catch(() => undefined);
    let ended: TurnEnd = 'failed';
    if (endTurn !== undefined && work.mayWrite()) {
      ended = await work.turn(take, signal).catch(() => 'failed' as const);
      if (ended === 'done' || ended === 'failed') trouble = undefined;
      else if (trouble?.reason !== ended) trouble = { reason: ended, since: world.now() };
    }
    endTurn?.();
    const isRetry = ended !== 'done' || !work.mayWrite();
    const restMs = facts.isBusy ? work.busyRestMs : isRetry ? 20_000 : intervalMs * (0.9 + 0.2 * world.random());
    // It notices within seconds that it has lost the lock.
    for (let rested = 0; rested < restMs && work.isMine() && !signal.aborted; rested += 15_000)
      await time.sleep(Math.min(15_000, restMs), signal).catch(() => undefined);
  }

  return {
    claim: () => (tenure.isBegun() ? (isLeading ? 'holds' : 'awaits') : 'none'),
    isLeaving: tenure.isLeaving,
    trouble: () => trouble && { reason: trouble.reason, forMs: world.now() - trouble.since },
    intervalMs: () => intervalMs,
    attempt: tenure.attempt,
    release: (when) => {
      tenure.release(when);
      if (freesAtOnce && isLeading) void work.release();
    },
    setElsewhere: () => undefined,
  };
}
