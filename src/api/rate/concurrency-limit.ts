/*
 * How many requests may be in flight at once, where a service limits that. Each answer counts by the level of its
 * request: how many were in flight as it started, itself among them. A limit shows as a level above which requests are
 * refused and up to which they pass; refusals that come at every level alike are no such limit. A limit found is raised
 * by one after enough requests have passed at it, and enough doubles each time that fails.
 */

/** How many requests may be in flight at once. */
export interface ConcurrencyLimit {
  /** Infinity where nothing limits it. */
  readonly most: () => number;
  readonly passed: (level: number) => void;
  /** Whether a limit that was just raised explains the refusal. */
  readonly refused: (level: number) => boolean;
  /** Finds a limit in the answers so far; undefined where there is none, or none lower than the one known. */
  readonly learn: () => number | undefined;
  /** What the answers so far show is not about this. */
  readonly reset: () => void;
}

const highestLevel = 1_000;
const fewestRefused = 3;
const share = { above: 0.6, below: 0.15 };
const firstPatience = 16;
// A raised limit holds once so many have passed at it.
const settled = 3;

/** Makes one that knows no limit. */
export function createConcurrencyLimit(): ConcurrencyLimit {
  let most = Infinity;
  let credit = 0;
  let patience = firstPatience;
  let isRaised = false;
  let counts: { passed: number; refused: number }[] = [];

  function at(level: number): { passed: number; refused: number } {
    return (counts[Math.min(level, highestLevel)] ??= { passed: 0, refused: 0 });
  }

  return {
    most: () => most,
    passed: (level) => {
      at(level).passed += 1;
      if (level < most) return;
      credit += 1;
      if (isRaised && credit >= settled) [isRaised, patience] = [false, firstPatience / 2];
      if (credit >= patience) [most, credit, isRaised] = [most + 1, 0, true];
    },
    refused: (level) => {
      if (isRaised && level >= most) {
        [most, credit, isRaised] = [most - 1, 0, false];
        patience *= 2;
        return true;
      }
      at(level).refused += 1;
      return false;
    },
    learn: () => {
      let above = { passed: 0, refused: 0 };
      const all = Object.values(counts).reduce(sum, above);
      for (let level = Math.min(counts.length - 1, most); level > 1; level--) {
        above = sum(above, counts[level] ?? { passed: 0, refused: 0 });
        const below = { passed: all.passed - above.passed, refused: all.refused - above.refused };
        if ((counts[level - 1]?.refused ?? 0) > 0 || above.refused < fewestRefused) continue;
        if (refusedShare(above) < share.above || refusedShare(below) > share.below) continue;
        [most, credit, patience, isRaised, counts] = [level - 1, 0, firstPatience, false, []];
        return most;
      }
      return undefined;
    },
    reset: () => {
      counts = [];
    },
  };
}

interface Count {
  readonly passed: number;
  readonly refused: number;
}

function sum(one: Count, other: Count): Count {
  return { passed: one.passed + other.passed, refused: one.refused + other.refused };
}

function refusedShare({ passed, refused }: Count): number {
  return refused / Math.max(1, passed + refused);
}
