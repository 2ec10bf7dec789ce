import type { AccountLimiters } from '../../../src/stack/service/account-limiters.ts';
import { usualTiming } from '../../../src/state/lease/lease-timing.ts';
import type { DividedStack } from '../../../src/watch/replicas/divided-stack.ts';
import { createTenure } from '../../../src/watch/replicas/tenure.ts';
import type { Ports } from '../../../src/watch/ports.ts';
import type { Process, World } from '../../state/remote/world.ts';
import type { SimulatedAccount } from './simulated-account.ts';
import { lockKeeper, type SimulatedLock } from './simulated-lock.ts';

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

/** The time between two looks at a stack. */
export const intervalMs = 300_000;

/** What may be planted in a stack. */
export interface StackPlant {
  /** It frees the lock of a stack that is given back at once. */
  readonly freesAtOnce?: true;
  readonly ignoresRevision?: true;
}

/** A stack as one replica has it: the turn is a stub of a few requests. */
export function simulatedStack(facts: StackFacts, host: SimulatedHost, plant: StackPlant): DividedStack {
  const { world, process, name, isCutOff, revision, limiters } = host;
  const { time } = process;
  const tenure = createTenure();
  const keeper = lockKeeper(facts.lock, { time, isCutOff });
  const takeTurn = tenure.turns(host.join());
  let isLeading = false;
  let trouble: { readonly reason: 'behind' | 'not-planned'; readonly since: number } | undefined;
  void live();

  async function live(): Promise<void> {
    for (;;) {
      const signal = await tenure.begun(host.over);
      if (signal === undefined) return;
      const isOver = (): boolean => signal.aborted;
      while (!isOver())
        if (await keeper.take(signal)) {
          facts.takes.push({ by: name, at: world.now() });
          isLeading = true;
          while (!isOver() && keeper.isMine()) await turnAndRest(facts.takes.length, signal);
          isLeading = false;
          keeper.release();
        }
      trouble = undefined;
      tenure.ended();
      limiters.forget(facts.path);
    }
  }

  async function turnAndRest(take: number, signal: AbortSignal): Promise<void> {
    const endTurn = await takeTurn(signal).catch(() => undefined);
    if (endTurn !== undefined && keeper.mayWrite()) await turn(take, signal);
    endTurn?.();
    const isRetry = trouble !== undefined || !keeper.mayWrite();
    const restMs = facts.isBusy ? 100 : isRetry ? 20_000 : intervalMs * (0.9 + 0.2 * world.random());
    // It notices within seconds that it has lost the lock.
    for (let rested = 0; rested < restMs && keeper.isMine() && !signal.aborted; rested += 15_000)
      await time.sleep(Math.min(15_000, restMs), signal).catch(() => undefined);
  }

  async function turn(take: number, signal: AbortSignal): Promise<void> {
    const own = revision();
    const reason = facts.isBroken ? 'not-planned' : own < facts.applied ? 'behind' : undefined;
    if (reason !== undefined && !(reason === 'behind' && plant.ignoresRevision === true)) {
      if (trouble?.reason !== reason) trouble = { reason, since: world.now() };
      return;
    }
    trouble = undefined;
    const { name: key, rateLimit, request: ask } = facts.account;
    // Each turn opens the service for itself, and keeps the limiter that it is given.
    const limiter = limiters.of(
      { baseUrl: 'https://api.example.com', key, stack: facts.path, rateLimit },
      () => undefined,
    );
    for (let left = facts.isBusy ? 12 : 3; left > 0;) {
      const answered = await limiter.admit(signal).catch(() => undefined);
      if (answered === undefined) return;
      if (signal.aborted || !keeper.mayWrite()) {
        answered(undefined);
        return;
      }
      const from = world.now();
      const request = { take, from, until: from + usualTiming.writeDeadlineMs * 1.05 };
      facts.requests.push(request);
      const { status, retryAfterMs } = ask();
      await time.sleep(world.random() * 5_000);
      request.until = Math.min(request.until, world.now());
      answered(status, retryAfterMs);
      if (status === 200) left -= 1;
    }
    if (!keeper.mayWrite()) return;
    if (own < facts.applied) facts.backwards += 1;
    facts.applied = own;
    facts.lookedAt = world.now();
  }

  return {
    claim: () => (tenure.isBegun() ? (isLeading ? 'holds' : 'awaits') : 'none'),
    isLeaving: tenure.isLeaving,
    trouble: () => trouble && { reason: trouble.reason, forMs: world.now() - trouble.since },
    intervalMs: () => intervalMs,
    attempt: tenure.attempt,
    release: (when) => {
      tenure.release(when);
      if (plant.freesAtOnce === true && isLeading) keeper.release();
    },
    setElsewhere: () => undefined,
  };
}
