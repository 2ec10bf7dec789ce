/*
 * How many requests may be in flight at once, where a service limits that. Each answer counts by the level of its
 * request: how many were in flight as it started, itself among them. A limit shows as a level above which many requests
 * are refused and up to which few are, if chance hardly ever does that; or more than half of all are refused, and then
 * about as many are sent at once as pass. A limit found is raised by one after enough requests have passed at it, and enough
 * doubles each time that fails, up to a bound. A refusal after few have passed lowers it. One after more does not: answers
 * that take longer and shorter have the service count more requests at times, and a limit that avoids every refusal leaves
 * it idle between. Refusals that go on at ever lower limits have another cause.
 */

const highestLevel = 1_000;
const share = { above: 0.45, below: 0.15 };
// How much likelier two shares must be than one, twice the logarithm: one split in many thousands by chance.
const leastEvidence = 18;
const firstPatience = 4;
const mostPatience = 16;
// A refusal of a request at nearly the limit is explained by it as well.
const near = 0.8;
const loweredBy = 0.1;
// Where so many refusals follow each other at ever lower limits, it is no limit.
const mostLowered = 4;
// A raised limit holds once so many have passed at it.
const settled = 3;

/** How many requests may be in flight at once. */
export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;

/** Makes one that knows no limit. */
export function createConcurrencyLimit() {
  let most = Infinity;
  let credit = 0;
  let patience = firstPatience;
  let isRaised = false;
  let lowered = 0;
  let counts: { passed: number; refused: number }[] = [];

  function at(level: number): (typeof counts)[number] {
    return (counts[Math.min(level, highestLevel)] ??= { passed: 0, refused: 0 });
  }

  function limitTo(level: number): number {
    [most, credit, patience, isRaised, lowered, counts] = [level, 0, firstPatience, false, 0, []];
    return most;
  }

  return {
    /** Infinity where nothing limits it. */
    most: () => most,
    passed: (level: number) => {
      at(level).passed += 1;
      if (level < most) return;
      credit += 1;
      if (isRaised && credit >= settled) [isRaised, patience] = [false, firstPatience / 2];
      if (credit >= patience) [most, credit, isRaised, lowered] = [most + 1, 0, true, 0];
    },
    /** So many were in flight when one was refused: whether the limit explains that, and is lower from then on. */
    explains: (peak: number) => {
      if (peak < most * near) return false;
      if (credit >= firstPatience) {
        credit = 0;
        return true;
      }
      lowered += 1;
      if (lowered > mostLowered || most === 1) {
        limitTo(Infinity);
        return false;
      }
      if (isRaised) patience = Math.min(patience * 2, mostPatience);
      const step = isRaised ? 1 : Math.max(1, Math.floor(most * loweredBy));
      [most, credit, isRaised] = [most - step, 0, false];
      return true;
    },
    /** One was refused, and what was in flight with it has been answered. */
    refused: (level: number) => {
      at(level).refused += 1;
    },
    /** Finds a limit in the answers so far; undefined where there is none, or none lower than the one known. */
    learn: () => {
      let above = { passed: 0, refused: 0 };
      const all = Object.values(counts).reduce(sum, above);
      for (let level = Math.min(counts.length - 1, most); level > 1; level--) {
        above = sum(above, counts[level] ?? { passed: 0, refused: 0 });
        const below = { passed: all.passed - above.passed, refused: all.refused - above.refused };
        if (refusedShare(above) < share.above || refusedShare(below) > share.below) continue;
        if (2 * (likelihood(above) + likelihood(below) - likelihood(all)) < leastEvidence) continue;
        return limitTo(level - 1);
      }
      return undefined;
    },
    /** Lowers it to what passes of those in flight: more are refused than pass. */
    lower: () => {
      const all = Object.values(counts).reduce(sum, { passed: 0, refused: 0 });
      const levels = Object.entries(counts).map(([level, count]) => Number(level) * (count.passed + count.refused));
      const mean = levels.reduce((one, other) => one + other, 0) / Math.max(1, all.passed + all.refused);
      return limitTo(Math.max(1, Math.floor(Math.min(most, mean) * (1 - refusedShare(all)))));
    },
    /** What the answers so far show is not about this. */
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

/** The logarithm of how likely so many refusals are where this is their share. */
function likelihood({ passed, refused }: Count): number {
  const of = (count: number): number => (count === 0 ? 0 : count * Math.log(count / (passed + refused)));
  return of(passed) + of(refused);
}
