/** Refusals in a row, in the order in which the requests were started, which are numbered as they start. */
export function createRefusalRun() {
  let numbers: number[] = [];
  return {
    passed: (n: number) => {
      numbers = numbers.filter((one) => one > n);
    },
    refused: (n: number) => void numbers.push(n),
    /** How many are refused for certain without one that passes between them, while these are in flight. */
    length: (inFlight: Iterable<number>) => {
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
