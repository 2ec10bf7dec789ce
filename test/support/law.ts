import fc, { type Arbitrary } from 'fast-check';

/** A law tried on generated cases. */
export interface Law<T> {
  readonly on: Arbitrary<T>;
  readonly holds: (given: T) => Promise<void>;
  /** A case as a scenario in Markdown, to be kept when it fails. */
  readonly scenario: (given: T) => string;
  readonly runs: number;
  /** How long to go on at most, in milliseconds. */
  readonly limitMs?: number;
}

/** Tries a law. A case that breaks it is made small and reported with its seed, and as a scenario ready to be kept. */
export async function mustHold<T>({ on, holds, scenario, runs, limitMs = 45_000 }: Law<T>): Promise<void> {
  const verdict = await fc.check(fc.asyncProperty(on, holds), {
    numRuns: Number(process.env['RUNS'] ?? runs),
    // The plugin that replaces it has a type that fits no property of T.
    // oxlint-disable-next-line typescript/no-deprecated
    interruptAfterTimeLimit: limitMs,
    ...(process.env['SEED_PATH'] === undefined ? {} : { path: process.env['SEED_PATH'] }),
  });
  if (!verdict.failed || verdict.counterexample === null) return;
  const [given] = verdict.counterexample;
  const why = verdict.errorInstance instanceof Error ? verdict.errorInstance.message : String(verdict.errorInstance);
  const again = `SEED=${verdict.seed} SEED_PATH=${verdict.counterexamplePath}`;
  throw new Error(`${why}\n\nAgain with ${again}; as a scenario:\n\n${scenario(given)}`, {
    cause: verdict.errorInstance,
  });
}
