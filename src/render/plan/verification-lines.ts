import type { VerificationFailure, Verification } from '../../model/verification.ts';
import { pointerOf } from '../../derive/pointer.ts';
import { counted } from '../../diagnostics/counted.ts';
import { actionWords } from './action-words.ts';

/** How a proof ended, as one line: `verified: converges in one apply, 14 requests`. */
export function verificationLine({ converges, requests, failures, left }: Verification): string {
  if (converges) return `verified: converges in one apply, ${counted(requests, 'request')}`;
  const why = [
    ...(failures.length === 0 ? [] : [`${String(failures.length)} would fail`]),
    ...(left.length === 0 ? [] : [`${counted(left.length, 'change')} would be left`]),
  ];
  return `not verified: ${why.join(', ')}`;
}

/** What went wrong in a proof, what would be left, and what was taken for granted, a line each; nothing in them is safe for a terminal. */
export function verificationDetails({ failures, left, assumes }: Verification): readonly string[] {
  return [
    ...failures.map((failure) => `${about(failure)}${failure.message}`),
    ...left.map(({ action, address, fields }) => {
      const where = fields.map(({ path }) => pointerOf(path)).join(' ');
      return `left: ${actionWords[action].symbol} ${address}${where === '' ? '' : ` ${where}`}`;
    }),
    ...(assumes.length === 0 ? [] : [`taken for granted: ${assumes.join('; ')}`]),
  ];
}

function about({ address }: VerificationFailure): string {
  return address === undefined ? '' : `${address}: `;
}
