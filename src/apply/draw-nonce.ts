import { randomBytes } from 'node:crypto';
import { NONCE_DIGITS } from '../derive/marker.ts';

/** Draws a nonce for a marker: what carries it was made by whoever drew it. */
export function drawNonce(): string {
  return randomBytes(NONCE_DIGITS / 2).toString('hex');
}
