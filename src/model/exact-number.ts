/** Whether JSON carries a number as it was written: infinity, NaN and integers beyond 53 bits are not. */
export function isExactNumber(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
