import { usualTiming } from '../../support/usual-timing.ts';
import type { DividedStack } from '../../../src/watch/replicas/divided-stack.ts';
import type { Process, World } from '../../state/remote/world.ts';
import { intervalMs, type StackFacts } from './simulated-stack.ts';

/** What became of the stacks of the last replica that was killed; it fills as time passes. */
export interface TakeOver {
  readonly violations: string[];
  /** After how long each of them was taken, in milliseconds. */
  readonly takenMs: number[];
}

/** What there is when all is well. */
export interface CalmFleet {
  readonly world: World;
  readonly stacks: readonly StackFacts[];
  readonly replicas: () => readonly {
    readonly process: Process;
    readonly stacks: ReadonlyMap<string, DividedStack>;
  }[];
  /** Called with how many stacks are left without a replica. */
  readonly onKilled: (orphans: number) => void;
}

/** Kills the replica that has most stacks, at a time when all is well. */
export function killLast(time: number, { world, stacks, replicas, onKilled }: CalmFleet): TakeOver {
  const found: TakeOver = { violations: [], takenMs: [] };
  world.at(time, () => {
    const held = replicas().map(({ process, stacks: own }) => ({
      process,
      orphans: stacks.filter(({ path, isBroken }) => !isBroken && own.get(path)?.claim() === 'holds'),
    }));
    const { process, orphans } = held.reduce((most, one) => (one.orphans.length > most.orphans.length ? one : most));
    process.kill();
    onKilled(orphans.length);
    world.at(time + usualTiming.durationMs + intervalMs, () => {
      for (const { path, lookedAt, takes } of orphans) {
        found.takenMs.push((takes.find(({ at }) => at > time)?.at ?? Infinity) - time);
        if (lookedAt < time)
          found.violations.push(`${path} of a killed replica is not looked at within a lease duration and an interval`);
      }
    });
  });
  return found;
}
