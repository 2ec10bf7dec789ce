/** Refusals in a row, in the order in which the requests were started. */
export interface RefusalRun {
  readonly passed: (n: number) => void;
  readonly refused: (n: number) => void;
  /** How many are refused for certain without one that passes between them, while these are in flight. */
  readonly length: (inFlight: Iterable<number>) => number;
  readonly reset: () => void;
}

/** Makes an empty row; requests are numbered as they start. */
export function createRefusalRun(): RefusalRun {
  let numbers: number[] = [];
  return {
    passed: (n) => {
      numbers = numbers.filter((one) => one > n);
    },
    refused: (n) => void numbers.push(n),
    length: (inFlight) => {
      // One that is still in flight may pass yet: refusals may come back sooner than answers.
      const first = Math.min(...numbers);
      const open = [...inFlight].find((one) => one > first) ?? Infinity;
      return numbers.filter((one) => one < open).length;
    },
    reset: () => {
      numbers = [];
    },
  };
}
