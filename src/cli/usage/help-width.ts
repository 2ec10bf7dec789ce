/** The width of help in columns, on a terminal of so many or elsewhere. */
export function helpWidth(isTerminal: boolean, columns: number | undefined): number {
  if (!isTerminal) return 100;
  // A terminal without a size reports zero columns.
  return columns === undefined || columns === 0 ? 80 : columns;
}
