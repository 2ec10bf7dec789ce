import { usualTiming } from '../../support/usual-timing.ts';
import { lockKeeper } from './simulated-lock.ts';
import type { SimulatedHost, StackFacts, StackWork, TurnEnd } from './simulated-stack.ts';

/** What may be planted in the work of a stack. */
export interface WorkPlant {
  readonly ignoresRevision?: true;
}

/** Stands for the work of a real stack: a turn is a few requests. */
export function stubWork(facts: StackFacts, host: SimulatedHost, plant: WorkPlant): StackWork {
  const { world, process, name, isCutOff, revision, limiters } = host;
  const { time } = process;
  const keeper = lockKeeper(facts.lock, { time, isCutOff });

  async function take(signal: AbortSignal): Promise<boolean> {
    const isTaken = await keeper.take(signal);
    if (isTaken) facts.takes.push({ by: name, at: world.now() });
    return isTaken;
  }

  async function turn(take: number, signal: AbortSignal): Promise<TurnEnd> {
    const own = revision();
    if (facts.isBroken) return 'not-planned';
    if (own < facts.applied && plant.ignoresRevision !== true) return 'behind';
    const { name: key, rateLimit, request: ask } = facts.account;
    // Each turn opens the service for itself, and keeps the limiter that it is given.
    const limiter = limiters.of(
      { baseUrl: 'https://api.example.com', key, stack: facts.path, rateLimit },
      () => undefined,
    );
    for (let left = facts.isBusy ? 12 : 3; left > 0;) {
      const answered = await limiter.admit(signal).catch(() => undefined);
      if (answered === undefined) return 'failed';
      if (signal.aborted || !keeper.mayWrite()) {
        answered(undefined);
        return 'failed';
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
    if (!keeper.mayWrite()) return 'failed';
    if (own < facts.applied) facts.backwards += 1;
    facts.applied = own;
    facts.lookedAt = world.now();
    return 'done';
  }

  return { ...keeper, busyRestMs: 100, take, turn };
}
