import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What MUTANTS asks for: `AREA`, a folder of src/ whole, or `AREA=LINES@SEED`, so many of its lines, drawn by a seed.
 * `mutate` is in the form of StrykerJS: files, or `file:line-line`.
 */
export function drawn(text = '') {
  const [, area, count, seed] = /^([\w/-]+)(?:=(\d+)(?:@(\d+))?)?$/.exec(text) ?? [];
  if (area === undefined) throw new Error(`MUTANTS=${text} must be AREA or AREA=LINES@SEED, such as MUTANTS=plan=30@1`);
  const listed = execFileSync('git', ['ls-files', '-z', `src/${area}`], { encoding: 'utf8' });
  const files = listed.split('\0').filter((file) => file.endsWith('.ts'));
  if (files.length === 0) throw new Error(`MUTANTS=${text}: src/${area} has no files`);
  const report = `node_modules/.cache/mutants/${text.replaceAll('/', '-')}.json`;
  if (count === undefined) return { area, mutate: files, report };
  const lines = files.flatMap((file) => decidingLines(file).map((line) => `${file}:${line}-${line}`));
  const next = chance(Number(seed ?? 1));
  const mutate = [];
  while (mutate.length < Number(count) && lines.length > 0)
    mutate.push(...lines.splice(Math.floor(next() * lines.length), 1));
  return { area, mutate, report };
}

// Lines with a condition, an operator or a call. Declarations of types have none that runs.
function decidingLines(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    /^\s*(?:import|export (?:type|interface)|readonly|\/?\*|\/\/)/.test(line) ||
    !/[?<>!&|+*-]|\bif\b|\.\w+\(/.test(line)
      ? []
      : [index + 1],
  );
}

// Mulberry32.
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
