import { seeded } from '../faults/chance.ts';

/** Decisions that are the same for the same seed. */
export interface Dice {
  /** True with a chance from 0 to 1. */
  readonly odds: (chance: number) => boolean;
  readonly one: <T>(of: readonly T[]) => T;
  readonly some: <T>(of: readonly T[], count: number) => T[];
}

/** Makes the dice of a seed. */
export function diceOf(seed: number): Dice {
  // Seeds in a row begin alike: the first throws are thrown away.
  const chance = seeded(Math.imul(seed, 7919) >>> 0);
  for (let throws = 0; throws < 8; throws++) chance();
  const one = <T>(of: readonly T[]): T => of[Math.floor(chance() * of.length)] as T;
  return { odds: (most) => chance() < most, one, some: (of, count) => Array.from({ length: count }, () => one(of)) };
}
