import { kinds } from '../../src/kinds/index.ts';
import { printed } from '../support/harness.ts';
import type { Case } from './cases.ts';
import { judge } from './oracles.ts';
import type { Planted } from './one-run.ts';
import type { Prepared } from './prepare.ts';
import { trial, type Evidence } from './trial.ts';

/** Runs one case, with a bug put in if there is one, and tells what is wrong and how it came to that; undefined if nothing is. */
export async function replay(one: Case, prepared: Prepared, planted: Planted = {}): Promise<string | undefined> {
  const evidence = await trial(prepared, { ...one, planted });
  const violations = judge(evidence, prepared, one.faults);
  if (violations.length === 0) return undefined;
  return `${story(evidence)}${violations.map(({ oracle, what }) => `(${oracle}) ${what}\n`).join('')}`;
}

function story({ runs, hit }: Evidence): string {
  const lines = runs.map(({ plan, outcome, error, writes, reported }) =>
    [
      plan === undefined ? 'no plan' : printed(plan, kinds, true),
      `${writes} writes; ${JSON.stringify(outcome?.changes.filter(({ ending }) => ending !== 'done') ?? String(error))}`,
      ...reported.filter((line) => !line.startsWith('{')),
    ].join('\n'),
  );
  return [`met: ${JSON.stringify(hit)}`, ...lines, ''].join('\n\n---- run ----\n\n');
}
