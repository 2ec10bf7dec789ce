import type { Palette } from './palette.ts';

/** Rows in columns, as wide as their widest cell; cells must be safe already. Without rows, what is given for that. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  palette: Palette,
  empty?: string,
): string {
  if (rows.length === 0 && empty !== undefined) return empty;
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [palette.strong(line(head)), ...rows.map(line)].map((text) => `${text}\n`).join('');
}
