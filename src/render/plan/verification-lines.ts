import type { VerificationFailure, Verification } from '../../model/verification.ts';
import { pointerOf } from '../../derive/pointer.ts';
import { counted } from '../../diagnostics/counted.ts';
import { actionWords } from './action-words.ts';

/** The result of a verification, as one line: `verified: converges in one apply, 14 API requests`. */
export function verificationLine({ converges, requests, failures, remaining }: Verification): string {
  if (converges) return `verified: converges in one apply, ${counted(requests, 'API request')}`;
  const why = [
    ...(failures.length === 0 ? [] : [`${counted(failures.length, 'change')} would fail`]),
    ...(remaining.length === 0 ? [] : [`${counted(remaining.length, 'change')} would remain pending`]),
  ];
  return `verification failed: ${why.join(', ')}`;
}

/** Failures, remaining changes and assumptions of a verification, a line each; not yet safe for a terminal. */
export function verificationDetails({ failures, remaining, assumptions }: Verification): readonly string[] {
  return [
    ...failures.map((failure) => `${about(failure)}${failure.message}`),
    ...remaining.map(({ action, address, fields }) => {
      const where = fields.map(({ path }) => pointerOf(path)).join(' ');
      return `remaining: ${actionWords[action].symbol} ${address}${where === '' ? '' : ` ${where}`}`;
    }),
    ...(assumptions.length === 0 ? [] : [`not verified: ${assumptions.join('; ')}`]),
  ];
}

function about({ address }: VerificationFailure): string {
  return address === undefined ? '' : `${address}: `;
}
