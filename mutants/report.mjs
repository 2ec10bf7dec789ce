// Prints which mutants of the last run no test noticed, or ended by time alone, and the share of the others: node mutants/report.mjs
import { readFileSync } from 'node:fs';
import { drawn } from './drawn.mjs';

const equivalent = readFileSync(new URL('equivalent.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' | ').slice(0, 3).join(' | '));

const { report, mutate } = drawn(process.env.MUTANTS);
const { files } = JSON.parse(readFileSync(report, 'utf8'));
// The report has what earlier draws have found as well.
const isDrawn = (file, line) => mutate.includes(file) || mutate.includes(`${file}:${line}-${line}`);
const counts = { killed: 0, survived: 0, equivalent: 0 };
for (const [file, { source, mutants }] of Object.entries(files))
  for (const { status, replacement, location } of mutants) {
    if (!isDrawn(file, location.start.line)) continue;
    if (status === 'Killed') counts.killed += 1;
    if (status !== 'Survived' && status !== 'NoCoverage' && status !== 'Timeout') continue;
    const line = source.split('\n')[location.start.line - 1]?.trim() ?? '';
    if (equivalent.includes(`${file} | ${line} | ${replacement}`)) {
      counts.equivalent += 1;
      continue;
    }
    // An endless loop, or a busy machine: shown, so that somebody looks.
    counts[status === 'Timeout' ? 'killed' : 'survived'] += 1;
    console.log(`${file}:${location.start.line}:${location.start.column} ${status}\n  ${line}\n  ${replacement}`);
  }
const share = Math.round((100 * counts.killed) / Math.max(1, counts.killed + counts.survived));
console.log(`${counts.killed} killed, ${counts.survived} survived, ${counts.equivalent} equivalent: ${share} %`);
