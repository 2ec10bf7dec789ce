import { readFileSync } from 'node:fs';

/** The figures that docs/performance.md records, as it shows them, by what was measured. */
export function recordedFigures(): ReadonlyMap<string, string> {
  const rows = readFileSync('docs/performance.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return new Map(
    rows.flatMap(([, what, measured]) => (what && measured ? [[what.replaceAll('`', ''), measured]] : [])),
  );
}
