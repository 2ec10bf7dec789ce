import { modeOf, replayLine, type Case } from './cases.ts';
import { limitOf } from './limits.ts';
import { judge, type Violation } from './oracles.ts';
import type { Planted } from './one-run.ts';
import type { Prepared } from './prepare.ts';
import { trial, type Evidence } from './trial.ts';

/** What came of one case. */
export interface Verdict {
  /** It ended as unknown, and somebody looked. */
  readonly isUnknown: boolean;
  /** It ran into a known limit. */
  readonly isLimit: boolean;
  /** What replays it, and what went wrong. */
  readonly failure?: string;
}

/** How many cases of a mode there were, and how they ended. */
interface Row {
  cases: number;
  unknown: number;
  limits: number;
  violations: number;
}

/** How all cases so far ended, by the modes of their faults. */
export type Tally = Map<string, Row>;

/** Runs one case and judges it. */
export async function verdictOn(one: Case, prepared: Prepared, planted: Planted = {}): Promise<Verdict> {
  const evidence = await trial(prepared, { ...one, planted });
  const violations = judge(evidence, prepared, one.faults);
  const isUnknown = evidence.settled.length > 0;
  if (violations.length === 0) return { isUnknown, isLimit: false };
  if (limitOf(violations, one, evidence) !== undefined) return { isUnknown, isLimit: true };
  return { isUnknown, isLimit: false, failure: failureOf(one, violations, evidence) };
}

/** Counts a case. */
export function count(tally: Tally, { faults }: Case, { isUnknown, isLimit, failure }: Verdict): void {
  const isPair = faults.length > 1 && faults.every((fault) => fault.includes('@#'));
  const name = isPair ? 'pairs' : faults.length === 0 ? 'dies' : faults.map(modeOf).join(', ');
  const row = tally.get(name) ?? { cases: 0, unknown: 0, limits: 0, violations: 0 };
  row.cases += 1;
  row.unknown += Number(isUnknown);
  row.limits += Number(isLimit);
  row.violations += Number(failure !== undefined);
  tally.set(name, row);
}

/** The tally as a table in Markdown. */
export function table(tally: Tally): string {
  const rows = [...tally].sort(([a], [b]) => (a < b ? -1 : 1)).map(([mode, row]) => [`\`${mode}\``, row] as const);
  const all = { cases: 0, unknown: 0, limits: 0, violations: 0 };
  for (const [, row] of rows) for (const name of Object.keys(all) as (keyof Row)[]) all[name] += row[name];
  const lines = [...rows, ['**all**', all] as const].map(
    ([name, { cases, unknown, limits, violations }]) =>
      `| ${[name, ...[cases, unknown, limits, violations].map((n) => n.toLocaleString('en'))].join(' | ')} |`,
  );
  return ['| fault | cases | unknown | limits | violations |', '|---|---:|---:|---:|---:|', ...lines].join('\n');
}

function failureOf(one: Case, violations: readonly Violation[], { hit }: Evidence): string {
  const at = hit.map(({ method, path }) => `${method} ${path}`).join(', ');
  const what = violations.map(({ oracle, what }) => `(${oracle}) ${what.slice(0, 400)}`).join('; ');
  return `${replayLine(one)}  # ${at}: ${what}`;
}
