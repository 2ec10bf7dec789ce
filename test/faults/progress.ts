import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Verdict } from './matrix.ts';

/** What a run of the matrix has done so far, kept in a file, so that another can continue it. */
export interface Progress {
  /** What an earlier run of the same cases with the same code has done, by the number of the first case. */
  readonly earlier: ReadonlyMap<number, readonly Verdict[]>;
  readonly add: (from: number, verdicts: readonly Verdict[]) => void;
  /** All is done: the next run begins from the start. */
  readonly end: () => void;
}

/** Opens the progress of a program, one file with all of its code, in one selection of cases. */
export function openProgress(program: string, selection: readonly (string | undefined)[]): Progress {
  const facts = JSON.stringify([readFileSync(program, 'utf8'), selection]);
  const file = `node_modules/.cache/sluice/matrix-${createHash('sha256').update(facts).digest('hex').slice(0, 16)}.jsonl`;
  mkdirSync(dirname(file), { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  return {
    earlier: new Map(lines.map((line) => JSON.parse(line) as [number, Verdict[]])),
    add: (from, verdicts) => appendFileSync(file, `${JSON.stringify([from, verdicts])}\n`),
    end: () => rmSync(file, { force: true }),
  };
}
