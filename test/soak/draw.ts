import { seeded } from '../faults/chance.ts';

/** Draws that a seed makes the same in every run; each actor of a soak has its own. */
export interface Draw {
  /** A whole number from 0 up to, but not including, n. */
  readonly below: (n: number) => number;
  readonly within: (least: number, most: number) => number;
  readonly one: <T>(items: readonly T[]) => T;
  readonly happens: (share: number) => boolean;
}

/** The draws of one actor. */
export function drawFor(seed: number, actor: number): Draw {
  const chance = seeded(seed * 16 + actor);
  const below = (n: number): number => Math.floor(chance() * n);
  return {
    below,
    within: (least, most) => least + chance() * (most - least),
    one: <T>(items: readonly T[]): T => items[below(items.length)]!,
    happens: (share) => chance() < share,
  };
}
