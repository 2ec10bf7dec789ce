import { SluiceError } from '../../diagnostics/errors.ts';

/** The whole number that a fault's detail says, within what its mode can do. */
export function numberOf(detail: string | undefined, usual: number, least = 0, most = 3_600_000): number {
  if (detail === undefined) return usual;
  const number = /^\d{1,7}$/.test(detail) ? Number(detail) : NaN;
  if (number >= least && number <= most) return number;
  throw badDetail(detail, `an integer from ${least} to ${most}`);
}

/** What stands behind the `=` of a fault is nothing that its mode knows. */
export function badDetail(detail: string, expected: string): SluiceError {
  return new SluiceError('INVALID_FAULT', `invalid fault: ${JSON.stringify(detail)} is not ${expected}`);
}
