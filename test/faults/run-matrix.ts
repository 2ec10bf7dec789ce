// npm run test:matrix: runs the fault matrix in as many processes as there are processors; docs/faults.md has the variables.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { caseNamed, nameOf, type Case } from './cases.ts';
import { count, table, verdictOn, type Tally, type Verdict } from './matrix.ts';
import { bugs } from './planted.ts';
import { prepare, type Leg, type Prepared } from './prepare.ts';
import { doJobs, inProcesses, type Job } from './processes.ts';
import { openProgress } from './progress.ts';
import { replay } from './replay.ts';
import { selected, shareOf } from './selection.ts';
import { servers, type Server } from './servers.ts';

const { MATRIX: asked = 'whole', MATRIX_SHARE: share = '', MATRIX_BUG: bug = '', MATRIX_OVER: over } = process.env;
const processes = Number(process.env['MATRIX_PROCESSES'] ?? availableParallelism());
const program = fileURLToPath(import.meta.url);
const planted = bugs[bug]?.planted;

// So few that all processes end at about the same time.
const casesAtOnce = 25;
const reportEveryMs = 30_000;

const legs = new Map<Server, Readonly<Record<Leg, Prepared>>>();

async function preparedFor({ server, leg }: Pick<Case, 'server' | 'leg'>): Promise<Prepared> {
  const known = legs.get(server) ?? (await prepare(server));
  legs.set(server, known);
  return known[leg];
}

async function verdictsOn({ names }: Job): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const one of names.map((name) => caseNamed(name, servers)))
    verdicts.push(await verdictOn(one, await preparedFor(one), planted));
  return verdicts;
}

/** Has all cases run, and prints what came of them; whether all went well. */
async function runAll(cases: readonly Case[]): Promise<boolean> {
  const progress = openProgress(program, [asked, share, bug, over]);
  const tally: Tally = new Map();
  const failures: string[] = [];
  let done = 0;
  const note = (from: number, verdicts: readonly Verdict[]): void => {
    for (const [at, verdict] of verdicts.entries()) {
      const one = cases[from + at];
      if (one !== undefined) count(tally, one, verdict);
      if (verdict.failure === undefined) continue;
      failures.push(verdict.failure);
      say(verdict.failure);
    }
    done += verdicts.length;
  };
  for (const [from, verdicts] of progress.earlier) note(from, verdicts);
  const [earlier, began] = [done, performance.now()];
  const minutes = (ms: number): string => `${(ms / 60_000).toFixed(1)} minutes`;
  if (earlier > 0) say(`an earlier run of the same code has done ${inDigits(earlier)} cases`);
  const report = setInterval(() => {
    const msPerCase = (performance.now() - began) / Math.max(1, done - earlier);
    const left = minutes(msPerCase * (cases.length - done));
    say(`${inDigits(done)} of ${inDigits(cases.length)} cases, ${failures.length} violations, ${left} left`);
  }, reportEveryMs);
  const jobs = Array.from({ length: Math.ceil(cases.length / casesAtOnce) }, (_, at): Job => {
    const from = at * casesAtOnce;
    return { from, names: cases.slice(from, from + casesAtOnce).map(nameOf) };
  });
  const left = jobs.filter(({ from }) => !progress.earlier.has(from));
  await inProcesses({ program, processes }, left, ({ from }, verdicts) => {
    progress.add(from, verdicts);
    note(from, verdicts);
  });
  clearInterval(report);
  progress.end();
  process.stdout.write(`${[table(tally), '', ...failures].join('\n')}\n`);
  say(`${inDigits(done)} cases, ${failures.length} violations, ${minutes(performance.now() - began)}`);
  return failures.length === 0;
}

async function main(): Promise<boolean> {
  for (const server of servers) await preparedFor({ server, leg: 'create' });
  const cases = shareOf(selected(asked, [...legs.values()].flatMap(Object.values<Prepared>)), share);
  const [one] = cases;
  if (one === undefined) throw new Error(`MATRIX=${asked} selects no case`);
  if (!asked.includes('/')) return runAll(cases);
  const wrong = await replay(one, await preparedFor(one), planted);
  process.stdout.write(wrong ?? 'nothing is wrong\n');
  return wrong === undefined;
}

function inDigits(count: number): string {
  return count.toLocaleString('en');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

if (process.argv[2] === 'worker') doJobs(verdictsOn);
else process.exitCode = (await main()) ? 0 : 1;
