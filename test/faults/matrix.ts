import { casesOf, pairsOf, replayLine, sampleOf, type Case } from './cases.ts';
import { limitOf } from './limits.ts';
import { judge, type Violation } from './oracles.ts';
import { prepare } from './prepare.ts';
import { serverName, servers, type Server } from './servers.ts';
import { trial, type Evidence } from './trial.ts';

/** How many cases of a mode there were, and how they ended. */
export interface Row {
  cases: number;
  /** Told as unknown, with what settles it. */
  unknown: number;
  limits: number;
  violations: number;
}

/** What a part of the matrix came to. */
export interface Tally {
  readonly rows: Map<string, Row>;
  /** One line for each case that went wrong, beginning with what replays it. */
  readonly failures: string[];
}

/** Which cases to run: a sample, all, those of some modes, or so many pairs of faults, drawn by a seed. */
function selection(
  text = process.env['MATRIX'] ?? '',
): (cases: readonly Case[], pairs: (count: number, seed: number) => Case[]) => Case[] {
  if (text === 'whole') return (cases) => [...cases];
  const pairs = /^pairs(?:=(\d+)(?:@(\d+))?)?$/.exec(text);
  if (pairs !== null) return (_, draw) => draw(Number(pairs[1] ?? 50_000), Number(pairs[2] ?? 0));
  const modes = text.split(',').filter((mode) => mode !== '');
  if (modes.length > 0)
    return (cases) => cases.filter(({ faults: [fault = ''] }) => modes.includes(fault.replace(/[@=].*$/, '')));
  return (cases) => sampleOf(cases, 190, servers.indexOf(cases[0]?.server as Server));
}

/** Runs cases on a server, each apart from the others. */
export async function runMatrix(server: Server, tally: Tally): Promise<void> {
  const legs = await prepare(server);
  const cases = selection()([...casesOf(legs.create), ...casesOf(legs.change)], (count, seed) => [
    ...pairsOf(legs.create, Math.ceil(count / 16), seed),
    ...pairsOf(legs.change, Math.ceil(count / 16), seed),
  ]);
  const began = performance.now();
  const failuresBefore = tally.failures.length;
  for (const one of cases) {
    const row = rowFor(one, tally);
    row.cases += 1;
    const evidence = await trial(legs[one.leg], one);
    if (evidence.settled.length > 0) row.unknown += 1;
    const violations = judge(evidence, legs[one.leg], one.faults);
    if (violations.length === 0) continue;
    if (limitOf(violations, one, evidence) !== undefined) row.limits += 1;
    else {
      row.violations += 1;
      tally.failures.push(told(one, violations, evidence));
      say(tally.failures.at(-1) ?? '');
    }
  }
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  say(
    `${serverName(server)}: ${cases.length} cases, ${tally.failures.length - failuresBefore} violations, ${minutes} minutes`,
  );
}

/** A long run tells at once what it finds. */
function say(line: string): void {
  if (process.env['MATRIX'] !== undefined) process.stderr.write(`${line}\n`);
}

/** The tally as a table in Markdown. */
export function table({ rows }: Tally): string {
  const lines = [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([mode, { cases, unknown, limits, violations }]) =>
      ['', mode, cases, unknown, limits, violations, ''].join(' | ').trim(),
    );
  return ['| fault | cases | unknown | limits | violations |', '|---|---|---|---|---|', ...lines].join('\n');
}

function rowFor({ faults }: Case, { rows }: Tally): Row {
  const mode = faults.map((fault) => fault.replace(/[@=].*$/, '')).join(', ');
  const isPair = faults.length > 1 && faults.every((fault) => fault.includes('@#'));
  const name = isPair ? 'pairs' : mode;
  const row = rows.get(name) ?? { cases: 0, unknown: 0, limits: 0, violations: 0 };
  rows.set(name, row);
  return row;
}

function told(one: Case, violations: readonly Violation[], { hit }: Evidence): string {
  const at = hit.map(({ method, path }) => `${method} ${path}`).join(', ');
  const what = violations.map(({ oracle, what }) => `(${oracle}) ${what.slice(0, 400)}`).join('; ');
  return `${replayLine(one)}  # ${at}: ${what}`;
}
