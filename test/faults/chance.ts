/** Numbers from 0 up to, but not including, 1. */
export type Chance = () => number;

/** The same numbers for the same seed, in every run. */
export function seeded(seed: number): Chance {
  let state = (seed + 1) * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
