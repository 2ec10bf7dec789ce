import fc from 'fast-check';
import { hostile } from './hostile-text.ts';

/** Hostile strings, one after the other, each another; it counts those that were put somewhere. */
export interface HostileStrings {
  /** The first of the forms of a string that fits where it is to stand; undefined where none of several strings has one. */
  readonly fitting: (forms: (text: string) => readonly string[], fits: (text: string) => boolean) => string | undefined;
  readonly next: () => string;
  readonly put: () => number;
}

// Strings that are tried for one place.
const tries = 8;

/** A source of hostile strings that gives the same ones for the same seed. */
export function hostileStrings(seed: number): HostileStrings {
  const pool = fc.sample(hostile, { numRuns: 4000, seed });
  let [at, put] = [0, 0];
  const draw = (): string => `${pool[at++ % pool.length] ?? ''}${at > pool.length ? String(at) : ''}`;
  return {
    fitting: (forms, fits) => {
      for (let count = 0; count < tries; count++) {
        const found = forms(draw()).find(fits);
        if (found === undefined) continue;
        put += 1;
        return found;
      }
      return undefined;
    },
    next: () => {
      put += 1;
      return draw();
    },
    put: () => put,
  };
}
