import { SluiceError } from '../../diagnostics/errors.ts';

/** The integer in the detail of a fault, within the range of its mode. */
export function numberOf(detail: string | undefined, usual: number, least = 0, most = 3_600_000): number {
  if (detail === undefined) return usual;
  const number = /^\d{1,7}$/.test(detail) ? Number(detail) : NaN;
  if (number >= least && number <= most) return number;
  throw badDetail(detail, `an integer from ${least} to ${most}`);
}

/** The error for a detail, after the `=` of a fault, that its mode does not support. */
export function badDetail(detail: string, expected: string): SluiceError {
  return new SluiceError('INVALID_FAULT', `invalid fault to inject: ${JSON.stringify(detail)} is not ${expected}`);
}
